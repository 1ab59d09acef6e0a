// Runs in a thread of its own: the lists take 30 MB and a third of a second to read, and a long password 0.1 s to search.
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  // More of either makes the worst passwords ten times as slow and changes the score of none that people choose.
  l33tMaxSubstitutions: 10,
  maxLength: 64,
});

parentPort?.on('message', ({ id, password, context }: { id: number; password: string; context: string[] }) => {
  parentPort?.postMessage({ id, score: estimator.check(password, context).score });
});
