import type * as z from 'zod';
import * as s from '../../schema/schema.ts';
import { approverIds } from './entry-approvers.ts';

/** A type of entry in `tools` that is not a base tool and has its own fields. */
interface OtherTool {
  type: string;
  effect: string;
  fields: Readonly<Record<string, z.ZodType>>;
  defaults: Readonly<Record<string, unknown>>;
}

export const otherTools: readonly OtherTool[] = [
  {
    type: 'sandbox',
    effect:
      'A sandbox of the conversation: sandbox_list_files, _read_file, _write_file, _delete_file; sandbox_execute with ' +
      'include_execute. Its files outlast 15 idle minutes when it is persistent, and go with the conversation',
    fields: { persistent: s.bool(), include_execute: s.bool() },
    defaults: { persistent: false, include_execute: true },
  },
];

const common = {
  enabled: s.bool(),
  requires_approval: s.bool(),
  four_eyes: s.bool(),
  approvers: approverIds,
  approver_groups: approverIds,
};

/** Their fields, by type. */
export const otherToolFields: ReadonlyMap<string, ReadonlyMap<string, z.ZodType>> = new Map(
  otherTools.map(({ type, fields }) => [type, new Map<string, z.ZodType>(Object.entries({ ...common, ...fields }))]),
);
