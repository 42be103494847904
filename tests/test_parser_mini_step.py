import math

import pytest
import torch

from parser.mini.decoder_step import NEVER, add_ways


def test_a_node_scores_by_all_the_ways_that_say_it():
    nodes, copies = [0.5, NEVER, 2.0, -1.0], [1.0, 3.0, 1.0, NEVER, 0.0]
    yields = [2, 1, 2, 0, -5]
    scores = torch.tensor([[*nodes, *copies]] * 2)
    made = add_ways(scores.clone(), torch.tensor([yields, [-1] * 5]))
    for node, score in enumerate(nodes):
        ways = [score, *(c for c, symbol in zip(copies, yields, strict=True) if symbol == node)]
        assert float(made[0, node]) == pytest.approx(math.log(sum(map(math.exp, ways))))
    assert made[0, 4:].tolist() == [NEVER, NEVER, NEVER, NEVER, 0.0]
    assert torch.equal(made[1], scores[1])
