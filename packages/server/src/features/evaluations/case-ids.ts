import { createHash } from 'node:crypto';

/** Cases that are older than ids get the same one at every reading, until the first change stores it. */
export function idOfPosition(evaluation_id: string, position: number): string {
  const digest = createHash('sha256').update(`${evaluation_id} ${position}`).digest('hex');
  return digest.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5');
}
