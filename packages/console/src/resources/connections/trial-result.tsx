import { CircleAlert, CircleCheck } from 'lucide-react';
import { connectionTexts } from '../../text/connections.ts';
import { Banner } from '../../ui/banner.tsx';
import type { Trial } from './servers.ts';

const words = connectionTexts.servers;

/** What came of a trial: the tools that the server has now, or why it can't be used. */
export function TrialResult({ trial }: { trial: Trial }) {
  const { success, ms, message, used_login, tools } = trial;
  return (
    <div className="flex flex-col gap-3">
      {success ? (
        <Banner tone="ok" icon={<CircleCheck size={16} aria-hidden />} title={words.worked(tools.length, ms)}>
          {used_login && words.usedLogin}
        </Banner>
      ) : (
        <Banner tone="bad" icon={<CircleAlert size={16} aria-hidden />} title={words.failed}>
          <span className="break-words">{message}</span>
        </Banner>
      )}
      {success && tools.length === 0 && <p className="text-dense text-text-2">{words.noTools}</p>}
      {tools.length > 0 && (
        <ul aria-label={words.tools} className="divide-y divide-line rounded-3 border border-line">
          {tools.map(({ name, description, input_schema }) => (
            <li key={name} className="px-3.5 py-2.5">
              <p className="font-mono text-code font-medium break-all">{name}</p>
              <p dir="auto" className="text-dense break-words whitespace-pre-wrap text-text-2">
                {description}
              </p>
              <Schema schema={input_schema} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The input of a tool, folded away. */
export const Schema = ({ schema }: { schema: Readonly<Record<string, unknown>> }) => (
  <details className="mt-1 text-dense">
    <summary className="cursor-pointer text-text-2 hover:text-text">{words.input}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard. */}
    <pre tabIndex={0} className="mt-1 max-h-60 overflow-auto rounded-2 bg-sunken p-3 font-mono text-code">
      {JSON.stringify(schema, null, 2)}
    </pre>
  </details>
);
