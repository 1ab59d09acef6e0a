import { mergeNodeType } from '@atrium/contract/workflows/node-types/logic/merge.ts';
import { defineNode } from '../define-node.ts';

/** Merges branches. It waits for all of them; skipped ones bring no value. */
export const mergeNode = defineNode(mergeNodeType, async (_, inputs, { mode, separator }) => {
  const values = inputs['values'] as Record<string, unknown>;
  const list = Object.values(values);
  if (mode === 'dict') return { output: values };
  if (mode === 'list') return { output: list };
  if (mode === 'first') return { output: list[0] ?? null };
  return { output: list.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(separator) };
});
