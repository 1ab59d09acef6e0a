import { delayNodeType } from '@atrium/contract/workflows/node-types/logic/delay.ts';
import { defineNode } from '../define-node.ts';
import { waitUntil } from '../engine-request.ts';

export const delayNode = defineNode(delayNodeType, async ({ resumed }, { value = null }, { seconds }) => {
  return resumed ? { output: value } : waitUntil(Date.now() + seconds * 1000);
});
