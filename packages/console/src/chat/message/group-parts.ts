import type { UiPart } from '../thread/message-types.ts';

/** What a message shows, from above to below. */
export type MessageBlock =
  /** Reasoning and tools that follow each other. */
  | { kind: 'work'; key: string; steps: readonly UiPart[] }
  | { kind: 'text'; key: string; part: UiPart }
  /** A part with a card of its own. `slot` is the name under which the card is registered. */
  | { kind: 'part'; key: string; slot: string; part: UiPart };

/** Parts that tell a screen how to fold others, or that stand elsewhere. */
const unseen = new Set(['step-start', 'data-chain-of-thought', 'source-url', 'source-document']);
const stepTypes = new Set(['reasoning', 'data-tool-activity', 'data-workflow-progress', 'data-state-transition']);

const isStep = ({ type }: UiPart) => stepTypes.has(type) || (type.startsWith('tool-') && type !== 'tool-');
const isAsked = (part: UiPart) => part['approval'] !== undefined;

/** The blocks of a message. All work before an answer's words is one group; a card in between ends it. */
export function groupParts(parts: readonly UiPart[]): MessageBlock[] {
  const blocks: MessageBlock[] = [];
  let work: UiPart[] | undefined;
  for (const [index, part] of parts.entries()) {
    const key = `${index}`;
    if (unseen.has(part.type)) continue;
    if (isStep(part)) {
      if (!work) {
        work = [];
        blocks.push({ kind: 'work', key, steps: work });
      }
      work.push(part);
      if (!isAsked(part)) continue;
      blocks.push({ kind: 'part', key: `${key}-approval`, slot: 'approval', part });
      work = undefined;
      continue;
    }
    if (part.type === 'text' && !part.text) continue;
    work = undefined;
    if (part.type === 'text') blocks.push({ kind: 'text', key, part });
    else blocks.push({ kind: 'part', key, slot: part.type === 'data-approval' ? 'approval' : part.type, part });
  }
  return blocks;
}
