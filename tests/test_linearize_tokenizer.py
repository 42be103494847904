from dataclasses import replace

import penman
import pytest
import torch

from linearize import linearize
from linearize.tokenizer import extend, spell
from linearize.vocabulary import Vocabulary, count, shipped

WORDS = "( ) want go boy relation argument inverse of have role org arg op for 0 1 2 01 02 12 91 - :".split()
GRAPHS = [
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(b / boy :ARG0-of (w / want-01 :ARG1-of (h / have-org-role-91 :ARG0 b)))",
]
SIZES = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}


@pytest.fixture(scope="module")
def vocabulary():
    return count(map(penman.decode, GRAPHS))


@pytest.fixture
def wordpiece():
    """An uncased BERT tokenizer."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    pieces = ["[PAD]", "[UNK]", *WORDS, *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz0123456789")]
    pieces += list("abcdefghijklmnopqrstuvwxyz")
    core = Tokenizer(models.WordPiece({piece: row for row, piece in enumerate(pieces)}, unk_token="[UNK]"))
    core.normalizer = normalizers.BertNormalizer(lowercase=True)
    core.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return PreTrainedTokenizerFast(tokenizer_object=core, unk_token="[UNK]", pad_token="[PAD]")


@pytest.fixture
def unigram():
    """A sentencepiece tokenizer, as T5, mT5, mBART and XLM-R have."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("\u2581", -4.0)]
    pieces += [(f"\u2581{word}", -3.0) for word in WORDS]
    pieces += [(c, -9.0) for c in "abcdefghilnorstvwARG:-()0129"]
    core = Tokenizer(models.Unigram(pieces, unk_id=2))
    core.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    return PreTrainedTokenizerFast(
        tokenizer_object=core, unk_token="<unk>", pad_token="<pad>", eos_token="</s>"
    )


@pytest.fixture(params=["wordpiece", "unigram"])
def tokenizer(request):
    return request.getfixturevalue(request.param)


def bert(size):
    from transformers import BertConfig, BertForMaskedLM

    return BertForMaskedLM(BertConfig(vocab_size=size, **SIZES))


def bert_without_head(size):
    from transformers import BertConfig, BertModel

    return BertModel(BertConfig(vocab_size=size, **SIZES))


def mt5(size, untied=True):
    from transformers import MT5Config, MT5ForConditionalGeneration

    model = MT5ForConditionalGeneration(
        MT5Config(vocab_size=size, d_model=8, d_ff=8, d_kv=4, num_layers=1, num_heads=2)
    )
    if untied:
        model.lm_head.weight = torch.nn.Parameter(torch.randn(size, 8))
    return model


def mt5_tied(size):
    return mt5(size, untied=False)


def mbart(size):
    from transformers import MBartConfig, MBartForConditionalGeneration

    return MBartForConditionalGeneration(
        MBartConfig(
            vocab_size=size,
            d_model=8,
            encoder_layers=1,
            decoder_layers=1,
            encoder_attention_heads=2,
            decoder_attention_heads=2,
            encoder_ffn_dim=8,
            decoder_ffn_dim=8,
            max_position_embeddings=64,
        )
    )


MODELS = [bert, bert_without_head, mt5, mt5_tied, mbart]


def saved(model, folder):
    """The model as a user has it: written by transformers, read by transformers."""
    model.save_pretrained(folder)
    return type(model).from_pretrained(folder, dtype=torch.float32)


def pieces(tokenizer, text):
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    return [piece.removeprefix("\u2581") for piece in tokenizer.convert_ids_to_tokens(ids)]


@pytest.mark.parametrize("build", MODELS, ids=lambda build: build.__name__)
def test_new_rows_are_the_mean_of_their_parts(build, wordpiece, vocabulary, tmp_path):
    torch.manual_seed(0)
    size = len(wordpiece)
    model = saved(build(size), tmp_path)
    head = model.get_output_embeddings()
    untied = head is not None and head.weight is not model.get_input_embeddings().weight
    assert untied == (build is mt5)
    before = model.get_input_embeddings().weight.detach().clone()
    head_before = head.weight.detach().clone() if untied else before
    parts = {
        ":ARG0": "relation argument 0",
        ":ARG0-of": "relation argument 0 inverse of",
        "want-01": "want 01",
        "have-org-role-91": "have org role 91",
    }
    ids = {name: wordpiece.convert_tokens_to_ids(text.split()) for name, text in parts.items()}
    ids["have-org-role-91"] = wordpiece(spell("have-org-role-91"), add_special_tokens=False)["input_ids"]

    added = extend(wordpiece, model, vocabulary)

    assert added == len(vocabulary.relations) + len(vocabulary.frames)
    table = model.get_input_embeddings().weight
    assert table.shape[0] == len(wordpiece) == size + added == model.config.vocab_size
    assert torch.equal(table[:size], before)
    for name, rows in ids.items():
        torch.testing.assert_close(table[wordpiece.convert_tokens_to_ids(name)], before[rows].mean(0))
    head = model.get_output_embeddings()
    if head is not None:
        assert (head.weight is not table) == untied
        assert torch.equal(head.weight[:size], head_before)
        for name, rows in ids.items():
            row = head.weight[wordpiece.convert_tokens_to_ids(name)]
            torch.testing.assert_close(row, head_before[rows].mean(0))


@pytest.mark.parametrize("build", [mt5, mbart, bert], ids=lambda build: build.__name__)
def test_an_extended_model_runs_and_survives_saving(build, unigram, vocabulary, tmp_path):
    torch.manual_seed(0)
    model = saved(build(len(unigram)), tmp_path / "base")
    extend(unigram, model, vocabulary)
    unigram.save_pretrained(tmp_path / "extended")
    again = saved(model, tmp_path / "extended").eval()
    reloaded = type(unigram).from_pretrained(tmp_path / "extended")
    text = " ".join(linearize(penman.decode(GRAPHS[1])))
    assert reloaded.tokenize(text) == unigram.tokenize(text)
    batch = reloaded([text], return_tensors="pt")
    assert batch["input_ids"].max() >= len(unigram) - len(vocabulary.frames)
    extra = {} if build is bert else {"decoder_input_ids": batch["input_ids"]}
    with torch.no_grad():
        ours = model.eval()(input_ids=batch["input_ids"], **extra).logits
        theirs = again(input_ids=batch["input_ids"], **extra).logits
    torch.testing.assert_close(ours, theirs)
    assert ours.shape[-1] == len(unigram)


def test_spare_rows_are_used_before_new_ones(unigram, vocabulary):
    torch.manual_seed(0)
    size = len(unigram) + 100
    model = mt5(size)
    extend(unigram, model, vocabulary)
    assert model.get_input_embeddings().weight.shape[0] == size
    row = unigram.convert_tokens_to_ids("want-01")
    parts = unigram("want 01", add_special_tokens=False)["input_ids"]
    torch.testing.assert_close(model.lm_head.weight[row], model.lm_head.weight[parts].mean(0))


def test_every_relation_and_frame_is_one_token(tokenizer, vocabulary):
    extend(tokenizer, bert_without_head(len(tokenizer)), vocabulary)
    for text in GRAPHS:
        tokens = linearize(penman.decode(text))
        assert pieces(tokenizer, " ".join(tokens)) == tokens


def test_an_inverse_is_not_read_as_its_relation_and_a_rest(tokenizer):
    vocabulary = count([penman.decode("(a / a-01 :ARG0 (b / b-01))")])
    extend(tokenizer, bert_without_head(len(tokenizer)), vocabulary)
    assert pieces(tokenizer, "a-01 :ARG0-of b-01 :ARG0 a-01") == ["a-01", ":ARG0-of", "b-01", ":ARG0", "a-01"]


def test_symbols_are_not_found_inside_longer_words(tokenizer):
    vocabulary = Vocabulary({":op1": 1}, {"go-02": 1}, {})
    extend(tokenizer, bert_without_head(len(tokenizer)), vocabulary)
    found = pieces(tokenizer, ":op12 forgo-02 go-021")
    assert ":op1" not in found and "go-02" not in found
    assert [piece for piece in pieces(tokenizer, ":op1 go-02") if len(piece) > 2] == [":op1", "go-02"]


def test_an_uncased_tokenizer_matches_our_case_only(wordpiece):
    extend(wordpiece, bert_without_head(len(wordpiece)), Vocabulary({":ARG0": 1}, {}, {}))
    assert pieces(wordpiece, "boy :ARG0 boy") == ["boy", ":ARG0", "boy"]
    assert ":ARG0" not in pieces(wordpiece, "boy :arg0 boy")
    assert pieces(wordpiece, "BOY") == ["boy"]


def test_what_is_known_is_not_added_again(tokenizer, vocabulary):
    model = bert_without_head(len(tokenizer))
    assert extend(tokenizer, model, vocabulary) == len(vocabulary.relations) + len(vocabulary.frames)
    before = model.get_input_embeddings().weight.detach().clone()
    assert extend(tokenizer, model, vocabulary) == 0
    assert extend(tokenizer, model, replace(vocabulary, frames={**vocabulary.frames, "belong-01": 0})) == 1
    assert torch.equal(model.get_input_embeddings().weight[:-1], before)


def test_the_shipped_vocabulary_extends_in_one_call(wordpiece):
    vocabulary = shipped()
    model = bert_without_head(len(wordpiece))
    added = extend(wordpiece, model, vocabulary)
    assert added == len(vocabulary.relations) + len(vocabulary.frames) > 1500
    assert torch.isfinite(model.get_input_embeddings().weight).all()
