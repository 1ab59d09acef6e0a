import { type CSSProperties, Suspense } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { cx } from '../cx.ts';
import { controlLook } from '../text-field.tsx';
import type { CodeEditorProps } from './editor-types.ts';

const EditorRoot = lazyPart(() => import('./editor-root.tsx').then(({ EditorRoot }) => ({ default: EditorRoot })));
const lineHeight = 19;

/** A field for SQL, JSON, expressions and templates. The editor is loaded when it is first shown; the text can be read before. */
export function CodeEditor({ rows, maxRows, ...props }: CodeEditorProps) {
  const least = props.singleLine ? 1 : (rows ?? 3);
  const most = props.singleLine ? 1 : (maxRows ?? 16);
  const heights = {
    '--editor-least': `${least * lineHeight + 14}px`,
    '--editor-most': `${Math.max(least, most) * lineHeight + 14}px`,
  } as CSSProperties;
  return (
    <Suspense
      fallback={
        <pre
          style={heights}
          aria-busy
          className={cx(
            controlLook,
            'min-h-[var(--editor-least)] max-h-[var(--editor-most)] overflow-hidden py-1.5 font-mono text-code whitespace-pre-wrap',
          )}
        >
          {props.value}
        </pre>
      }
    >
      <div style={heights} className="min-w-0">
        <EditorRoot {...props} />
      </div>
    </Suspense>
  );
}
