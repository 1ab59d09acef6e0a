"""Goes on training from an asset: python3 go_on.py DATA ASSET PREPARED.pkl.gz OUT. `prepare.py` makes PREPARED.

Several models at a time, each from the asset's weights; where the asset is right its scores are learnt as well, so that what it finds stays
found. `blend.py` makes an asset of their mean."""

import argparse
import gzip
import os
import pickle
import random
import time
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch

from data import TAGS, Swapper, epoch
from extra import Cutter
from model import Tagger
from prepare import read_training
from read_asset import read_sections, read_vectors, read_weights
from text import spelling
from train import batches

_state = {}
# Each model's highest rate, the share of the loss that the asset's scores have, and its seed.
MODELS = ((1e-3, 0.4, 21), (1e-3, 0.4, 22), (2e-3, 0.3, 23), (2e-3, 0.3, 24))


def make_epoch(path, seed):
    """Writes the sentences of one epoch, as numbers."""
    s, rng = _state, random.Random(seed)
    made = epoch(s["sentences"], s["swapper"], s["synth"], seed, s["fresh"], s["things"])
    more = rng.sample(s["extra"], min(len(s["extra"]), s["prose"]))
    more += [s["cutter"].start(rng) for _ in range(s["starts"])] + [s["cutter"].firm(rng) for _ in range(s["firms"])]
    more += [s["cutter"].person(rng) for _ in range(s["people"])]
    made = [*made, *((tokens[:160], tags[:160], rng.choices((0, 1, 2), (90, 6, 4))[0]) for tokens, tags in more)]
    made = [sentence for sentence in made if len(sentence[0]) <= s["longest"]]
    words, tag_at = s["features"].words, {tag: i for i, tag in enumerate(TAGS)}
    number = lambda t: words[t] if t in words else words.get(spelling(t), words["0000"])
    ids = np.concatenate([np.array([number(t) for t in tokens], np.int32) for tokens, _, _ in made])
    tags = np.concatenate([np.array([tag_at[t] for t in tags], np.int8) for _, tags, _ in made])
    lengths, casing = np.array([len(t) for t, _, _ in made], np.int32), np.array([c for _, _, c in made], np.int8)
    np.savez(f"{path}.part.npz", ids, tags, lengths, casing)
    os.rename(f"{path}.part.npz", path)


def read_epoch(path):
    while not path.exists():
        time.sleep(0.2)
    loaded = np.load(path)
    return [loaded[key] for key in loaded.files]


def imitation(scores, aim, tags, mask):
    """How far the scores are from the asset's where its best tag is right."""
    apart = torch.nn.functional.kl_div(scores.log_softmax(-1), aim.log_softmax(-1), reduction="none", log_target=True).sum(-1)
    return (apart * (mask & (aim.argmax(-1) == tags))).sum(1).mean()


def train(args, begun, at_model):
    rate, imitate, seed = MODELS[at_model]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(seed)
    header, sections = read_sections(args.asset)
    vectors, weights = read_vectors(sections), {name: torch.from_numpy(value) for name, value in read_weights(sections).items()}
    asset, model = (Tagger(_state["features"], vectors, 1, header["sizes"]["hidden"], *dropout).to(device) for dropout in ((), (0.3, 0.15)))
    asset.load_state_dict(weights)
    model.load_state_dict(weights)
    asset.eval().requires_grad_(False)
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.0, fused=device == "cuda")
    average = {name: p.detach().clone() for name, p in model.named_parameters()}
    shuffler, step, share, start = np.random.default_rng(seed), 0, 0.0, None
    for done in range(args.epochs):
        made = read_epoch(Path(args.work) / f"epoch-{at_model % 2}-{done}.npz")
        start = start or time.time()
        count, losses = -(-len(made[2]) // args.batch), []
        for at, (ids, tags, mask, kinds, lengths) in enumerate(batches(made, args.batch, device, shuffler)):
            # The rate falls with the time that is left, when that is shorter than the epochs.
            share = max((done + at / count) / args.epochs, (time.time() - start) / (args.seconds - (start - begun)))
            if share >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1, (step + 1) / 100) * 0.5 * (1 + np.cos(np.pi * share))
            scores = model(ids, kinds, lengths)
            with torch.no_grad():
                aim = asset(ids, kinds, lengths)
            loss = (1 - imitate) * model.loss(scores, tags, mask) + imitate * imitation(scores, aim, tags, mask)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            keep = min(0.998, (step + 1) / (step + 10))
            with torch.no_grad():
                torch._foreach_lerp_(list(average.values()), [p.detach() for p in model.parameters()], 1 - keep)
            step += 1
            if step % 50 == 0:
                losses.append(float(loss.detach()))
                print(f"model {seed} step {step} loss {losses[-1]:.3f} share {share:.2f} {time.time() - begun:.0f} s", flush=True)
        print(f"model {seed} epoch {done + 1} step {step} loss {np.mean(losses or [0]):.3f} share {share:.2f} {time.time() - begun:.0f} s", flush=True)
        np.savez(Path(args.out) / f"model-{seed}.npz", **{name: value.cpu().numpy().astype(np.float16) for name, value in average.items()})


def main():
    parser = argparse.ArgumentParser()
    for name in ("data", "asset", "prepared", "out"):
        parser.add_argument(name)
    for name, default in (("fresh", 20_000), ("things", 50_000), ("prose", 45_000), ("starts", 12_000), ("firms", 6_000), ("people", 14_000), ("epochs", 4), ("models", len(MODELS)), ("batch", 256), ("longest", 160), ("seconds", 3600), ("few", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--work", default="/dev/shm")
    args, begun = parser.parse_args(), time.time()
    with gzip.open(args.prepared) as file:
        prepared = pickle.load(file)
    prepared["features"].grams = prepared["features"].grams.astype(np.int32)
    sentences, names, synth, _ = read_training(args.data)
    sentences = sentences[:: len(sentences) // args.few] if args.few else sentences
    _state.update(vars(args), **prepared, sentences=sentences, swapper=Swapper(names, sentences), synth=synth, cutter=Cutter(sentences))
    print(f"ready after {time.time() - begun:.0f} s", flush=True)
    fork = get_context("fork")
    makers = [fork.Process(target=make_epoch, args=(Path(args.work) / f"epoch-{of}-{at}.npz", 5000 + of * 100 + at)) for at in range(args.epochs) for of in range(min(2, args.models))]
    trainers = [fork.Process(target=train, args=(args, begun, at)) for at in range(args.models)]
    for process in makers + trainers:
        process.start()
    for process in makers + trainers:
        process.join()


if __name__ == "__main__":
    main()
