import type {
  LanguageModelV4Message,
  LanguageModelV4ReasoningPart,
  LanguageModelV4StreamPart,
  LanguageModelV4TextPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { LruCache } from '../../../lib/lru-cache.ts';

export type AssistantParts = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

const most = 200;

/** Collects the parts of a turn from the provider's stream. */
export function makeTurnRecorder() {
  const parts: AssistantParts = [];
  const open = new Map<string, LanguageModelV4TextPart | LanguageModelV4ReasoningPart>();
  const note = (id: string, metadata: SharedV4ProviderMetadata | undefined, delta = '') => {
    const part = open.get(id);
    if (!part) return;
    part.text += delta;
    if (metadata === undefined) return;
    for (const [provider, values] of Object.entries(metadata))
      part.providerOptions = {
        ...part.providerOptions,
        [provider]: { ...part.providerOptions?.[provider], ...values },
      };
  };
  return {
    parts,
    hear(part: LanguageModelV4StreamPart): void {
      if (part.type === 'text-start' || part.type === 'reasoning-start') {
        const begun = { type: part.type === 'text-start' ? ('text' as const) : ('reasoning' as const), text: '' };
        // Texts and thoughts are numbered apart, so their ids can be the same.
        open.set(`${begun.type} ${part.id}`, begun);
        parts.push(begun);
        note(`${begun.type} ${part.id}`, part.providerMetadata);
      } else if (part.type === 'text-delta') note(`text ${part.id}`, part.providerMetadata, part.delta);
      else if (part.type === 'reasoning-delta') note(`reasoning ${part.id}`, part.providerMetadata, part.delta);
      else if (part.type === 'text-end') note(`text ${part.id}`, part.providerMetadata);
      else if (part.type === 'reasoning-end') note(`reasoning ${part.id}`, part.providerMetadata);
    },
    call(id: string, name: string, input: object, metadata: SharedV4ProviderMetadata | undefined): void {
      const options = metadata ? { providerOptions: metadata } : {};
      parts.push({ type: 'tool-call', toolCallId: id, toolName: name, input, ...options });
    },
  };
}

/**
 * Keeps the model's parts before its tool calls, with the signatures that the provider wants back in the next step. It
 * lives with the model object, which serves one run: after a crash the next step is sent without them.
 */
export function makeReasoningStore() {
  const turns = new LruCache<string, AssistantParts>({ max: most });
  return {
    of: (call_id: string) => turns.get(call_id),
    keep(parts: AssistantParts): void {
      const call = parts.find((part) => part.type === 'tool-call');
      if (!call) return;
      turns.set(
        call.toolCallId,
        parts.filter((part) => part.type !== 'text' || part.text !== ''),
      );
    },
  };
}
