"""Word features -> linear -> BiLSTM -> nine tags -> CRF."""

import numpy as np
import torch
from torch import nn

from data import TAGS
from features import BITS
from text import GRAM_ROWS, SHAPES, WORD_ROWS

VECTOR, WORD, GRAM, TOKEN = 64, 32, 48, 128
IN = VECTOR + WORD + GRAM + SHAPES + BITS
N = len(TAGS)


def allowed():
    """0 where a tag may follow another, a large negative number where it may not; the last row is the start."""
    table = np.zeros((N + 1, N), np.float32)
    for b, tag in enumerate(TAGS):
        for a, before in enumerate([*TAGS, "O"]):
            if tag[0] == "I" and before not in (f"B-{tag[2:]}", tag):
                table[a, b] = -1e4
    return torch.from_numpy(table)


class Tagger(nn.Module):
    def __init__(self, features, vectors, layers, hidden, dropout=0.0, word_dropout=0.0):
        super().__init__()
        self.word_dropout = word_dropout
        frozen = lambda name, value: self.register_buffer(name, torch.as_tensor(value), persistent=False)
        table = torch.from_numpy(vectors["rows"].astype(np.float32) * vectors["scales"].astype(np.float32)[:, None])
        frozen("vectors", torch.cat([table, torch.zeros(1, VECTOR)]))
        for name in ("low", "shapes", "vector", "grams", "root", "bits", "training_bits"):
            frozen(f"f_{name}", getattr(features, name))
        frozen("f_word", features.word)
        frozen("powers", 2 ** torch.arange(SHAPES))
        frozen("allowed", allowed())
        self.word = nn.Embedding(WORD_ROWS, WORD)
        self.gram = nn.Embedding(GRAM_ROWS + 1, GRAM, padding_idx=GRAM_ROWS)
        nn.init.normal_(self.word.weight, 0, 0.1)
        nn.init.normal_(self.gram.weight, 0, 0.1)
        with torch.no_grad():
            self.gram.weight[GRAM_ROWS] = 0  # what fills up the rows of short words
        self.token = nn.Linear(IN, TOKEN)
        self.token_norm = nn.LayerNorm(TOKEN)
        self.lstm = nn.LSTM(TOKEN, hidden, layers, batch_first=True, bidirectional=True, dropout=dropout if layers > 1 else 0)
        self.out_norm = nn.LayerNorm(2 * hidden)
        self.out = nn.Linear(2 * hidden, N)
        self.steps = nn.Parameter(torch.zeros(N + 1, N))
        self.drop = nn.Dropout(dropout)

    def embed(self, ids, casing):
        low = self.f_low[ids].long()
        kinds, back = torch.unique(low, return_inverse=True)
        grams = self.gram(self.f_grams[kinds].long()).sum(1) / self.f_root[kinds, None]
        vector = self.vectors[self.f_vector[kinds].long()]
        words = torch.cat([vector, self.word(self.f_word[kinds].long())], 1)[back]
        bits = (self.f_training_bits if self.training else self.f_bits)[kinds][back]
        shapes = (self.f_shapes[ids, casing[:, None].expand_as(ids)][..., None] & self.powers > 0).float()
        if self.training:
            chance = lambda *size: torch.rand(*size, device=ids.device)
            keep = (chance(*ids.shape, 1) > self.word_dropout).float()
            words = words * keep
            dropped = (chance(ids.shape[0], 1, 1) < 0.12) | (chance(*ids.shape, 1) < 0.08)
            names = bits[..., :-1] * (~dropped).float()
            bits = torch.cat([names, bits[..., -1:] * keep], -1)
        x = torch.cat([words, grams[back], shapes, bits], -1)
        return torch.relu(self.token_norm(self.token(x)))

    def forward(self, ids, casing, lengths):
        x = self.drop(self.embed(ids, casing))
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        h, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=ids.shape[1])
        return self.out(self.drop(self.out_norm(h)))

    def transitions(self):
        return self.steps + self.allowed

    def loss(self, scores, tags, mask):
        """Negative log likelihood; the sum over all paths by pairwise products, so that it takes log T steps, not T."""
        B, T, _ = scores.shape
        steps = self.transitions()
        flat = mask.float()
        path = scores.gather(2, tags[..., None])[..., 0] * flat
        moves = torch.cat([steps[N][tags[:, :1]], steps[tags[:, :-1], tags[:, 1:]]], 1) * flat
        first = steps[N] + scores[:, 0]
        matrices = steps[None, None, :N] + scores[:, 1:, None]
        same = torch.full((N, N), -1e4, device=scores.device).fill_diagonal_(0)
        matrices = torch.where(mask[:, 1:, None, None], matrices, same)
        while matrices.shape[1] > 1:
            if matrices.shape[1] % 2:
                matrices = torch.cat([matrices, same.expand(B, 1, N, N)], 1)
            left, right = matrices[:, 0::2], matrices[:, 1::2]
            matrices = torch.logsumexp(left[..., None] + right[..., None, :, :], 3)
        total = torch.logsumexp(first, 1) if T == 1 else torch.logsumexp(first[..., None] + matrices[:, 0], (1, 2))
        return (total - path.sum(1) - moves.sum(1)).mean()

    @torch.no_grad()
    def decode(self, scores, lengths, bias):
        """Viterbi, the whole batch at once; bias is added to each tag's score."""
        scores = (scores + bias).cpu()
        steps = self.transitions().cpu()
        best = steps[N] + scores[:, 0]
        froms = []
        kept = [best]
        for t in range(1, scores.shape[1]):
            value, source = (best[:, :, None] + steps[None, :N]).max(1)
            best = value + scores[:, t]
            froms.append(source)
            kept.append(best)
        out = []
        for b, length in enumerate(lengths):
            tag = int(kept[length - 1][b].argmax())
            tags = [tag]
            for t in range(length - 2, -1, -1):
                tag = int(froms[t][b, tag])
                tags.append(tag)
            out.append(tags[::-1])
        return out
