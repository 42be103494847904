"""VMSST written from its equations: a sentence at a time, a piece at a time, no padding, no batches."""

from __future__ import annotations

import torch
from torch import Tensor

Row = list[int]


def rms(states: Tensor, weight: Tensor) -> Tensor:
    return weight * states / (states.square().mean(dim=-1, keepdim=True) + 1e-6).sqrt()


def attention(block, states: Tensor, bias: Tensor) -> Tensor:
    """What the last position of some states takes from all of them; at most 16, so buckets are distances."""
    own = block.layer[0].SelfAttention
    x = rms(states, block.layer[0].layer_norm.weight)
    heads, size = own.n_heads, own.key_value_proj_dim
    out = []
    for head in range(heads):
        rows = slice(head * size, (head + 1) * size)
        query = own.q.weight[rows] @ x[-1]
        scores = [
            query @ (own.k.weight[rows] @ x[place]) + bias[len(x) - 1 - place, head]
            for place in range(len(x))
        ]
        shares = torch.stack(scores).softmax(dim=0)
        out.append(sum(share * (own.v.weight[rows] @ x[place]) for place, share in enumerate(shares)))
    return own.o.weight @ torch.cat(out)


def feed_forward(block, state: Tensor) -> Tensor:
    layer = block.layer[-1]
    x, dense = rms(state, layer.layer_norm.weight), layer.DenseReluDense
    gate = torch.nn.functional.gelu(dense.wi_0.weight @ x, approximate="tanh")
    return dense.wo.weight @ (gate * (dense.wi_1.weight @ x))


def log_likelihood(decoder, table: Tensor, pieces: Row, language: int, z: Tensor) -> Tensor:
    """log p(x | z, language): each layer is self-attention, + W z, feed-forward; scores are W [h; z]."""
    first = decoder.first.weight[language if decoder.recipe.languages else 0]
    given = [first, *(table[piece] for piece in pieces[:-1])]
    bias = decoder.stack.block[0].layer[0].SelfAttention.relative_attention_bias.weight
    layers = [list(given)]  # states of every layer at every position
    for block in decoder.stack.block:
        below, above = layers[-1], []
        for place in range(len(given)):
            state = below[place] + attention(block, torch.stack(below[: place + 1]), bias)
            state = state + block.layer[1].project.weight @ z
            above.append(state + feed_forward(block, state))
        layers.append(above)
    total = z.new_zeros(())
    for state, piece in zip(layers[-1], pieces, strict=True):
        h = torch.cat([rms(state, decoder.stack.final_layer_norm.weight), z])
        if decoder.join is not None:
            scores = decoder.head.weight @ (decoder.join.weight @ h)
        else:
            scores = torch.cat([decoder.head.weight, decoder.beside.weight], dim=1) @ h
        total = total + scores[piece] - scores.exp().sum().log()
    return total


def linear(module, value: Tensor) -> Tensor:
    return module.weight @ value + module.bias


def divergence(mean: Tensor, log_variance: Tensor) -> Tensor:
    """KL(N(μ, σ²) || N(0, 1)), from the library of distributions."""
    normal = torch.distributions.Normal(mean, log_variance.exp().sqrt())
    prior = torch.distributions.Normal(torch.zeros_like(mean), torch.ones_like(mean))
    return torch.distributions.kl_divergence(normal, prior).sum()


def info_nce(first: list[Tensor], second: list[Tensor], temperature: float, *, dot: bool) -> Tensor:
    total = first[0].new_zeros(())
    for row, x in enumerate(first):
        lengths = [1.0 if dot else x.norm() * y.norm() for y in second]
        scores = [(x @ y / n / temperature).exp() for y, n in zip(second, lengths, strict=True)]
        total = total - (scores[row] / sum(scores)).log()
    return total / len(first)


class Reference:
    """Terms of an objective for pairs of sentences, given as ids with their languages."""

    def __init__(self, objective, first: list[Row], second: list[Row], languages: tuple[int, int]) -> None:
        self.own, self.languages = objective, languages
        self.model = objective.encoder[0].model
        self.table = self.model.get_input_embeddings().weight
        self.sides = (first, second)
        self.count = sum(len(row) - 1 for side in self.sides for row in side)  # the decoder skips <s>

    def pooled(self, network, ids: Row, language: int | None) -> Tensor:
        given = self.table[torch.tensor(ids)]
        if language is not None and self.own.language.language is not None:
            given = given + self.own.language.language.weight[language]
        return network(inputs_embeds=given[None]).last_hidden_state[0].mean(dim=0)

    def mean(self, side: int, row: int) -> Tensor:
        return linear(self.own.encoder[2].linear, self.pooled(self.model, self.sides[side][row], None))

    def means(self, side: int) -> list[Tensor]:
        return [self.mean(side, row) for row in range(len(self.sides[side]))]

    def written(self, side: int, row: int, z: Tensor) -> Tensor:
        pieces, language = self.sides[side][row][1:], self.languages[side]
        return log_likelihood(self.own.decoder, self.table, pieces, language, z)

    def translation(self) -> Tensor:
        total = self.table.new_zeros(())
        for side in (0, 1):
            for row in range(len(self.sides[side])):
                z = torch.cat([self.mean(1 - side, row), self.table.new_zeros(self.own.others)])
                total = total - self.written(side, row, z)
        return total / self.count

    def bound(self, semantic: Tensor, language: Tensor) -> tuple[Tensor, Tensor]:
        """Reconstruction and KL; the second side of every other pair gives z_sem."""
        nll, kl, own = self.table.new_zeros(()), self.table.new_zeros(()), self.own
        rows = len(self.sides[0])
        for row in range(rows):
            source = row % 2
            pooled = self.pooled(self.model, self.sides[source][row], None)
            mean, log_variance = linear(own.encoder[2].linear, pooled), linear(own.log_variance, pooled)
            z_semantic = mean + log_variance.exp().sqrt() * semantic[row]
            kl = kl + divergence(mean, log_variance)
            for side in (0, 1):
                network = self.model if own.language.own is None else own.language.own
                pooled = self.pooled(network, self.sides[side][row], self.languages[side])
                mean = linear(own.language.mean, pooled)
                log_variance = linear(own.language.log_variance, pooled)
                z_language = mean + log_variance.exp().sqrt() * language[side * rows + row]
                kl = kl + divergence(mean, log_variance)
                nll = nll - self.written(side, row, torch.cat([z_semantic, z_language]))
        return nll / self.count, kl / self.count

    def contrast(self, temperature: float, *, dot: bool) -> Tensor:
        first, second = self.means(0), self.means(1)
        both = (info_nce(*sides, temperature, dot=dot) for sides in ((first, second), (second, first)))
        return sum(both, self.table.new_zeros(())) / 2
