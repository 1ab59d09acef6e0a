import type { AnswerOf, ItemOf } from '@atrium/sdk';
import { connectionTexts } from '../../text/connections.ts';

export type Sandbox = ItemOf<'sandboxes.list'>;
export type SandboxWithUsage = AnswerOf<'sandboxes.get'>;
export type SandboxFile = ItemOf<'sandboxes.listFiles'>;

export const stateTones = { creating: 'info', running: 'ok', stopped: 'plain', error: 'bad' } as const;
export const nameOf = ({ label, id }: Pick<Sandbox, 'label' | 'id'>): string =>
  label || connectionTexts.sandboxes.unnamed(id);
