import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { sayBytes } from '../../lib/numbers.ts';
import { traceTexts } from '../../text/traces.ts';
import type { Step } from '../runs.ts';
import { hiddenIn } from './hidden-values.tsx';
import { Json, LongText } from './long-text.tsx';

const words = traceTexts.details;
export type Prompt = NonNullable<Extract<Step, { kind: 'model' }>['prompt']>;

/** The prompt tells the model what placeholders are; the one it names there hides nothing. */
const example = /such as <[A-Z_]+_\d+>/;

/** The forms that messages of a prompt have; anything else is shown as JSON. */
interface Part {
  type?: string;
  text?: string;
  name?: string;
  input?: unknown;
  output?: unknown;
  filename?: string;
  bytes?: number;
}
interface Message {
  role?: string;
  parts?: readonly Part[];
  results?: readonly Part[];
}

/** The prompt exactly as the model got it: hidden values are placeholders, secrets are handles. */
export function PromptView({ prompt }: { prompt: Prompt }) {
  const hidden = hiddenIn(JSON.stringify([prompt.system.replace(example, ''), prompt.messages]));
  return (
    <div className="flex flex-col gap-2.5">
      {prompt.system && (
        <Box title={words.system}>
          <LongText text={prompt.system} />
        </Box>
      )}
      {prompt.left_out > 0 && <p className="text-dense text-text-2">{words.leftOut(prompt.left_out)}</p>}
      {prompt.messages.map((message, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a prompt keep their places.
        <MessageBoxes key={index} message={message as Message} />
      ))}
      {prompt.tools.length > 0 && (
        <Box title={words.tools}>
          <p className="font-mono text-code break-words text-text-2">{prompt.tools.join(', ')}</p>
        </Box>
      )}
      {hidden.size > 0 && (
        <p className="flex gap-2 text-dense text-text-2">
          <ShieldCheck size={15} aria-hidden className="mt-0.5 flex-none text-text-3" />
          {words.hidden(hidden.size)}
        </p>
      )}
    </div>
  );
}

function MessageBoxes({ message }: { message: Message }) {
  const { role = '', parts, results } = message;
  if (results)
    return results.map(({ name, output }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: results keep their places.
      <Box key={index} title={words.roles['tool'] ?? role} note={name}>
        <Json value={readJson(output)} />
      </Box>
    ));
  return (
    <Box title={words.roles[role] ?? role}>
      {parts ? (
        parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their places.
          <PartView key={index} part={part} />
        ))
      ) : (
        <Json value={message} />
      )}
    </Box>
  );
}

function PartView({ part }: { part: Part }) {
  if (part.type === 'text') return <LongText text={part.text ?? ''} />;
  if (part.type === 'file')
    return <p className="text-dense text-text-2">{words.file(part.filename ?? '', sayBytes(part.bytes ?? 0))}</p>;
  if (part.type !== 'tool-call') return <Json value={part} />;
  return (
    <div className="text-dense">
      <p className="text-text-2">
        {words.toolCall} <code className="font-mono text-code">{part.name}</code>
      </p>
      <Json value={part.input} />
    </div>
  );
}

/** Results of tools are JSON as text; what is not JSON stays text. */
function readJson(output: unknown): unknown {
  if (typeof output !== 'string' || !/^[[{]/.test(output.trim())) return output;
  try {
    return JSON.parse(output);
  } catch {
    return output;
  }
}

export const Box = ({ title, note, children }: { title: string; note?: string | undefined; children: ReactNode }) => (
  <section className="flex flex-col gap-1 rounded-3 border border-line px-3 py-2.5">
    <h3 className="text-dense font-semibold">
      {title}
      {note && <code className="ml-2 font-mono text-code font-normal text-text-2">{note}</code>}
    </h3>
    {children}
  </section>
);
