import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete';
import { linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import type { CodeCompletion, CodeEditorProps } from './editor-types.ts';

/** Read anew at each use, since a page may give other sources with each paint. */
export type Latest = { current: Pick<CodeEditorProps, 'completions' | 'lint'> };

const kinds: Readonly<Record<NonNullable<CodeCompletion['kind']>, string>> = {
  ...{ keyword: 'keyword', function: 'function', variable: 'variable', property: 'property' },
  ...{ table: 'type', column: 'property', text: 'text' },
};

const toEntry = ({ label, kind, detail, info, insert }: CodeCompletion): Completion => ({
  label,
  ...(kind && { type: kinds[kind] }),
  ...(detail && { detail }),
  ...(info && { info }),
  ...(insert !== undefined && { apply: insert }),
});

export function completionSource(latest: Latest): CompletionSource {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\w.$]*/)?.text ?? '';
    const found = await latest.current.completions?.({
      ...{ text: context.state.doc.toString(), position: context.pos },
      ...{ word, asked: context.explicit },
    });
    if (!found || found.options.length === 0 || context.aborted) return null;
    return { from: found.from, options: found.options.map(toEntry), validFor: /^\w*$/ };
  };
}

export function lintSource(latest: Latest): Extension {
  return linter(
    async (view) => {
      const found = (await latest.current.lint?.(view.state.doc.toString())) ?? [];
      const { length } = view.state.doc;
      const within = (place: number) => Math.max(0, Math.min(length, place));
      return found.map(({ from, to, message, severity = 'error' }) => ({
        ...{ from: within(from), to: Math.max(within(from), within(to)), message, severity },
      }));
    },
    { delay: 400 },
  );
}
