"""Precision, recall and F1 per source and entity: exact, and by overlap with a span of the same kind."""

import numpy as np
import torch

from data import TAGS, spans

KINDS = ("PERSON", "LOCATION", "NRP")


@torch.no_grad()
def emissions(model, features, sentences, casing, device, batch=512):
    """Scores [(T, 9)] of each sentence, in order."""
    model.eval()
    out = [None] * len(sentences)
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i][0]))
    for at in range(0, len(order), batch):
        part = order[at : at + batch]
        lengths = torch.tensor([len(sentences[i][0]) for i in part])
        ids = np.zeros((len(part), int(lengths.max())), np.int64)
        for row, i in enumerate(part):
            ids[row, : lengths[row]] = [features.words[word] for word in sentences[i][0]]
        kinds = torch.full((len(part),), casing, device=device)
        scores = model(torch.from_numpy(ids).to(device), kinds, lengths).float()
        for row, i in enumerate(part):
            out[i] = scores[row, : lengths[row]]
    return out


def decoded(model, scores, bias, batch=512):
    out = [None] * len(scores)
    order = sorted(range(len(scores)), key=lambda i: len(scores[i]))
    for at in range(0, len(order), batch):
        part = order[at : at + batch]
        padded = torch.nn.utils.rnn.pad_sequence([scores[i] for i in part], batch_first=True)
        for i, tags in zip(part, model.decode(padded, [len(scores[i]) for i in part], bias.to(padded.device))):
            out[i] = spans([TAGS[tag] for tag in tags])
    return out


def count(gold, found):
    """{kind: [exact hits, found, gold, found that overlap, gold that are overlapped]}."""
    out = {kind: np.zeros(5) for kind in KINDS}
    for g, f in zip(gold, found):
        for kind in KINDS:
            gs, fs = [s for s in g if s[0] == kind], [s for s in f if s[0] == kind]
            touch = lambda a, b: a[1] < b[2] and b[1] < a[2]
            out[kind] += [
                len(set(gs) & set(fs)),
                len(fs),
                len(gs),
                sum(any(touch(a, b) for b in gs) for a in fs),
                sum(any(touch(a, b) for b in fs) for a in gs),
            ]
    return out


def ratios(c):
    f1 = lambda p, r: 2 * p * r / (p + r) if p + r else 0.0
    p, r = c[0] / max(1, c[1]), c[0] / max(1, c[2])
    po, ro = c[3] / max(1, c[1]), c[4] / max(1, c[2])
    return {"p": p, "r": r, "f1": f1(p, r), "overlap_p": po, "overlap_r": ro, "overlap_f1": f1(po, ro), "gold": int(c[2])}


def report(sentences, found):
    """{source: {kind: ratios}}, 'all' among the sources."""
    gold = [spans(tags) for _, tags, _ in sentences]
    out = {}
    for source in [*dict.fromkeys(s[2] for s in sentences), "all"]:
        at = [i for i, s in enumerate(sentences) if source in (s[2], "all")]
        counts = count([gold[i] for i in at], [found[i] for i in at])
        out[source] = {kind: {k: round(v, 4) for k, v in ratios(counts[kind]).items()} for kind in KINDS}
    return out


def table(figures):
    lines = [f"{'source':12}" + "".join(f"{kind:>36}" for kind in KINDS), f"{'':12}" + f"{'P    R    F1    overlap  n':>36}" * 3]
    for source, kinds in figures.items():
        cells = [f"{k['p']:.3f} {k['r']:.3f} {k['f1']:.3f}  {k['overlap_f1']:.3f} {k['gold']:5d}" for k in kinds.values()]
        lines.append(f"{source:12}" + "".join(f"{cell:>36}" for cell in cells))
    return "\n".join(lines)


def vocabulary(sentences):
    return {word for tokens, _, _ in sentences for word in tokens}
