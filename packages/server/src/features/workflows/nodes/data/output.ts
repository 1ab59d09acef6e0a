import { outputNodeType } from '@atrium/contract/workflows/node-types/data/output.ts';
import { defineNode } from '../define-node.ts';

export const outputNode = defineNode(outputNodeType, async (_, { input }) => ({ output: input ?? null }));
