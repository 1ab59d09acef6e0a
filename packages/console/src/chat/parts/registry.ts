import type { PartRegistry } from '../slots.ts';
import { HandoverPart } from './handover-part.tsx';
import { later } from './later.tsx';
import { RequestPart } from './request-part.tsx';

/** Cards of parts, by the type of the part. */
export const partRegistry: PartRegistry = {
  approval: RequestPart,
  'data-human-request': RequestPart,
  'data-handover': HandoverPart,
  file: later(() => import('./file-part.tsx').then(({ FilePart }) => FilePart)),
};
