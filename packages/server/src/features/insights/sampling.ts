import { createHash } from 'node:crypto';

/** Whether a conversation is part of the sample; always the same for the same conversation. */
export function isSampled(conversation_id: string, rate: number): boolean {
  const hash = createHash('sha256').update(`csat\0${conversation_id.toLowerCase()}`).digest();
  return hash.readUInt32BE(0) / 2 ** 32 < rate;
}

/** A stable id for one kind of score of a conversation. */
export function idFor(conversation_id: string, what: string): string {
  const hex = createHash('sha256').update(`${what}\0${conversation_id.toLowerCase()}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
