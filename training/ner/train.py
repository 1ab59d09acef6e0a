"""From the data folder to figures and a checkpoint: python3 train.py DATA VECTORS.npz OUT"""

import argparse
import itertools
import json
import random
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch

from data import TAGS, Swapper, contract, epoch, read
from evaluate import KINDS, decoded, emissions, report, table, vocabulary
from features import Features
from model import Tagger
from names import MORE_FIRST, MORE_LAST, common_words, load_names, make_lists
from own import load
from synth import Synth
from text import TOKEN, spelling
from things import FAMILY, GIVEN, LISTED_BRANDS, LISTED_SOFTWARE, LISTS

_state = {}


def make_epoch(seed):
    """In a process of its own; what it needs was there when it was forked. Numbers that templates made up count as zeros."""
    s = _state
    made = epoch(s["sentences"], s["swapper"], s["synth"], seed, s["fresh"], s["things"])
    words, tag_at = s["words"], {tag: i for i, tag in enumerate(TAGS)}
    number = lambda t: words[t] if t in words else words.get(spelling(t), words["0000"])
    ids = np.concatenate([np.array([number(t) for t in tokens], np.int32) for tokens, _, _ in made])
    tags = np.concatenate([np.array([tag_at[t] for t in tags], np.int8) for _, tags, _ in made])
    return ids, tags, np.array([len(t) for t, _, _ in made], np.int32), np.array([c for _, _, c in made], np.int8)


def batches(made, size, device, rng):
    """Sentences of about one length together, in random order of batches."""
    ids, tags, lengths, casing = made
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    order = np.argsort(lengths + rng.random(len(lengths)) * lengths * 0.15)
    groups = [order[at : at + size] for at in range(0, len(order), size)]
    rng.shuffle(groups)
    flat_ids = torch.from_numpy(ids).to(device)
    flat_tags = torch.from_numpy(tags).to(device)
    for group in groups:
        n = lengths[group]
        reach = np.arange(n.max())
        mask = reach[None] < n[:, None]
        at = torch.from_numpy(np.where(mask, starts[group][:, None] + reach[None], 0)).to(device, non_blocking=True)
        mask = torch.from_numpy(mask).to(device, non_blocking=True)
        kinds = torch.from_numpy(casing[group].astype(np.int64)).to(device, non_blocking=True)
        yield flat_ids[at].long() * mask, flat_tags[at].long() * mask, mask, kinds, torch.from_numpy(n.astype(np.int64))


def all_words(sentences, names, synth, rng):
    words = vocabulary(sentences)
    for group in (*names.values(), MORE_FIRST, MORE_LAST):
        for name in group:
            words.update(TOKEN.findall(name))
            words.update(TOKEN.findall(name.lower()))
    listed = [*LISTS.values(), LISTED_SOFTWARE, LISTED_BRANDS, GIVEN, FAMILY, synth.things.t["invented"]]
    for name in itertools.chain(*listed):
        words.update(TOKEN.findall(name))
    for word in synth.things.words:
        words.update((word, word.capitalize()))
    for _ in range(60_000):
        words.update(spelling(word) for word in synth.sentence(rng)[0])
        words.update(spelling(word) for word in synth.thing(rng)[0])
    return words | {"\n", "0000"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("vectors")
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=14)
    parser.add_argument("--layers", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--dropout", type=float, default=0.4)
    parser.add_argument("--word-dropout", type=float, default=0.2)
    parser.add_argument("--fresh", type=int, default=25_000)
    parser.add_argument("--things", type=int, default=60_000, help="sentences of `phrases`, each epoch")
    parser.add_argument("--product", default="O", help="what a program or brand is tagged: O or ORG")
    parser.add_argument("--namesakes", type=float, default=0.3, help="how often a thing in a clear context bears a person's name")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--teachers", nargs="*", default=[], help="checkpoints whose mean score of each tag is learnt besides the tags")
    parser.add_argument("--imitate", type=float, default=0.6, help="the share of the loss that the teachers have")
    parser.add_argument("--few", type=int, default=0, help="only this many sentences, to try the code")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    begun = time.time()

    rng = random.Random(args.seed)
    sentences = [contract(s, rng) for s in read(Path(args.data) / "train.conll")]
    dev = read(Path(args.data) / "dev.conll")
    calibration = load(Path(__file__).parent / "calibration")
    if args.few:
        sentences, dev = sentences[:: len(sentences) // args.few], dev[:: max(1, len(dev) // args.few)]
    names = load_names(args.data)
    synth = Synth(names, sorted(word for word in common_words(sentences, 10) if word.isalpha() and len(word) > 3), None if args.product == "O" else args.product, args.namesakes)
    vectors = np.load(args.vectors)
    vectors = {key: vectors[key] for key in vectors.files}
    blooms = make_lists(args.data, sentences)
    words = all_words(sentences + dev + calibration, names, synth, rng)
    features = Features(words, blooms, vectors["keys"], args.processes)
    _state.update(sentences=sentences, swapper=Swapper(names, sentences), synth=synth, words=features.words, fresh=args.fresh, things=args.things)
    print(f"{len(sentences)} sentences, {len(features.words)} words, {len(features.word)} lower-cased; {time.time() - begun:.0f} s", flush=True)

    model = Tagger(features, vectors, args.layers, args.hidden, args.dropout, args.word_dropout).to(device)
    teachers = [load_teacher(path, features, vectors).to(device) for path in args.teachers]
    tables = {"word.weight", "gram.weight"}
    groups = [
        {"params": [p for n, p in model.named_parameters() if n not in tables], "weight_decay": 0.02},
        {"params": [p for n, p in model.named_parameters() if n in tables], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=2.5e-3, betas=(0.9, 0.98), fused=device == "cuda")
    average = {n: p.detach().clone() for n, p in model.named_parameters()}
    shuffler = np.random.default_rng(args.seed)
    step = done = 0
    start = time.time()
    with ProcessPoolExecutor(args.processes, get_context("fork")) as pool:
        ahead = [pool.submit(make_epoch, args.seed * 1000 + i) for i in range(args.processes)]
        while done < args.epochs:
            made = ahead.pop(0).result()
            ahead.append(pool.submit(make_epoch, args.seed * 1000 + done + args.processes))
            if done == 0:
                start = time.time()
            losses = []
            count = (len(made[2]) + 255) // 256
            for at, (ids, tags, mask, kinds, lengths) in enumerate(batches(made, 256, device, shuffler)):
                share = (done + at / count) / args.epochs
                rate = 2.5e-3 * min(1, (step + 1) / 300) * 0.5 * (1 + np.cos(np.pi * share))
                for group in optimizer.param_groups:
                    group["lr"] = rate
                model.train()
                scores = model(ids, kinds, lengths)
                loss = model.loss(scores, tags, mask)
                if teachers:
                    loss = (1 - args.imitate) * loss + args.imitate * imitation(scores, [teacher(ids, kinds, lengths) for teacher in teachers], mask)
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                keep = min(0.998, (step + 1) / (step + 10))
                with torch.no_grad():
                    torch._foreach_lerp_(list(average.values()), [p.detach() for p in model.parameters()], 1 - keep)
                step += 1
                if step % 20 == 0:
                    losses.append(float(loss.detach()))
            done += 1
            print(f"epoch {done} step {step} loss {np.mean(losses or [0]):.3f} {time.time() - start:.0f} s", flush=True)
        for future in ahead:
            future.cancel()

    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(average[name])
    quantize(model)
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    figures, biases = {}, {}
    zero = torch.zeros(len(TAGS))
    for casing, name in enumerate(("as is", "lower", "UPPER")):
        scores = emissions(model, features, dev, casing, device)
        if casing == 0:
            biases = {**tune(model, dev, scores), **calibrate(model, calibration, emissions(model, features, calibration, 0, device))}
            bias = torch.zeros(len(TAGS))
            for kind, amount in biases.items():
                for edge in "BI":
                    bias[TAGS.index(f"{edge}-{kind}")] = amount
        figures[name] = report(dev, decoded(model, scores, zero))
        figures[f"{name}, with bias"] = report(dev, decoded(model, scores, bias))
        for key in (name, f"{name}, with bias"):
            print(f"\n{key}\n{table(figures[key])}", flush=True)
    print("biases", biases)
    state = {n: p.detach().cpu() for n, p in model.named_parameters()}
    torch.save({"state": state, "layers": args.layers, "hidden": args.hidden, "biases": biases, "figures": figures}, out / "tagger.pt")
    (out / "figures.json").write_text(json.dumps({"figures": figures, "biases": biases, "epochs": done, "steps": step, "seed": args.seed}, indent=1))


def load_teacher(path, features, vectors):
    saved = torch.load(path, weights_only=False, map_location="cpu")
    teacher = Tagger(features, vectors, saved["layers"], saved["hidden"])
    teacher.load_state_dict(saved["state"])
    return teacher.eval().requires_grad_(False)


def imitation(scores, taught, mask):
    """How far the scores of each word's tags are from the teachers' mean, summed over a sentence as the other loss is."""
    aim = torch.stack(taught).mean(0).log_softmax(-1)
    apart = torch.nn.functional.kl_div(scores.log_softmax(-1), aim, reduction="none", log_target=True).sum(-1)
    return (apart * mask).sum(1).mean()


def rows_of(name, parameter):
    """Which weights are int8: the matrices."""
    return parameter.dim() == 2 and name != "steps"


@torch.no_grad()
def quantize(model):
    """Puts the int8 values of the asset into the model, so that the figures are those of the asset."""
    for name, parameter in model.named_parameters():
        if rows_of(name, parameter):
            scale = (parameter.abs().amax(1, keepdim=True) / 127).clamp_min(1e-8)
            parameter.copy_((parameter / scale).round().clamp(-127, 127) * scale)


def calibrate(model, sentences, scores):
    """The bias of PERSON with the best overlap F1 on sentences of our own, half of them about things: at a tie the largest."""
    best, chosen = 0.0, 0.0
    for amount in (-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5):
        bias = torch.zeros(len(TAGS))
        for edge in "BI":
            bias[TAGS.index(f"{edge}-PERSON")] = amount
        f1 = report(sentences, decoded(model, scores, bias))["all"]["PERSON"]["overlap_f1"]
        print(f"PERSON bias {amount}: overlap F1 {f1:.4f} on the calibration sentences")
        if f1 >= best:
            best, chosen = f1, amount
    return {"PERSON": chosen}


def tune(model, dev, scores):
    """Per entity the largest bias towards finding it that costs at most half a point of exact F1 on the dev part."""
    out = {}
    for kind in KINDS:
        best, chosen = None, 0.0
        for amount in (0, 0.25, 0.5, 0.75, 1, 1.25, 1.5):
            bias = torch.zeros(len(TAGS))
            for edge in "BI":
                bias[TAGS.index(f"{edge}-{kind}")] = amount
            f1 = report(dev, decoded(model, scores, bias))["all"][kind]["f1"]
            best = f1 if best is None else max(best, f1)
            if f1 >= best - 0.005:
                chosen = amount
        out[kind] = chosen
    return out


if __name__ == "__main__":
    main()
