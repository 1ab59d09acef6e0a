import { textOfContent } from './chat-dialect.ts';
import {
  type Dialect,
  finishOf,
  type Json,
  pieces,
  type ScriptedProvider,
  scriptedServer,
  tokensOf,
} from './scripted-server.ts';

const finishWords: Record<string, string> = { length: 'MAX_TOKENS', 'content-filter': 'SAFETY' };

const geminiDialect: Dialect = {
  always_streams: true,
  frames(reply) {
    const { input, cached, output, reasoning } = tokensOf(reply);
    const chunk = (parts: object[], more: object = {}) =>
      `data: ${JSON.stringify({ candidates: [{ index: 0, content: { role: 'model', parts }, ...more }] })}\n\n`;
    const usageMetadata = {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output - reasoning,
      thoughtsTokenCount: reasoning,
      totalTokenCount: input + output,
    };
    const end = { candidates: [{ index: 0, finishReason: finishWords[finishOf(reply)] ?? 'STOP' }], usageMetadata };
    return [
      ...pieces(reply.reasoning ?? '').map((text) => chunk([{ text, thought: true }])),
      ...pieces(reply.text ?? '', reply.deltas).map((text) => chunk([{ text }])),
      ...(reply.tool_calls ?? []).map(({ id, name, input }) =>
        chunk([{ functionCall: { ...(id && { id }), name, args: input }, thoughtSignature: 'signed' }]),
      ),
      `data: ${JSON.stringify(end)}\n\n`,
    ];
  },
  whole: () => ({}),
  error: (code, message) => ({ error: { code, message, status: 'ERROR' } }),
  asked: ({ contents }) => textOfContent(contents.findLast(({ role }: Json) => role === 'user')?.parts),
};

/** A provider that speaks Google's :streamGenerateContent. */
export const googleProvider = (): Promise<ScriptedProvider> =>
  scriptedServer({ ':streamGenerateContent': geminiDialect });
