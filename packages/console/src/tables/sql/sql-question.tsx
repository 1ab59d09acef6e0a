import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Database, Play } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayKeys } from '../../lib/shortcuts.ts';
import { sqlTexts } from '../../text/table-columns.ts';
import { Button } from '../../ui/button.tsx';
import { CodeEditor } from '../../ui/code/code-editor.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { allTablesQuery } from '../queries.ts';
import { SqlResult } from './sql-result.tsx';

const maxRows = 1000;

interface QuestionProps {
  /** The question of the address, which is answered. */
  asked: string;
  initial?: string;
  onAsk: (sql: string) => void;
}

/** A question in SQL with its answer. The address has the question, so that it can be shared. */
export function SqlQuestion({ asked, initial = '', onAsk }: QuestionProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const [sql, setSql] = useState(asked || initial);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (asked) setSql(asked);
  }, [asked]);
  const { data: tables } = useQuery(allTablesQuery(client, w));
  const schema = useMemo(
    () =>
      Object.fromEntries(
        (tables ?? []).map(({ sql_name, columns }) => [sql_name, ['id', ...columns.map(({ name }) => name)]]),
      ),
    [tables],
  );
  const answer = useQuery({
    queryKey: [w, 'sql', asked, round],
    queryFn: async ({ signal }) => {
      const began = performance.now();
      const result = await client.tables.query({ sql: asked, max_rows: maxRows }, { signal });
      return { ...result, ms: performance.now() - began };
    },
    enabled: asked.trim() !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
  const ask = () => {
    const question = sql.trim();
    if (!question) return;
    if (question === asked) setRound((old) => old + 1);
    else onAsk(question);
  };
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex flex-none flex-col gap-2 border-b border-line px-5 py-3 max-narrow:px-3">
        <CodeEditor
          label={sqlTexts.label}
          language="sql"
          value={sql}
          onChange={setSql}
          onSubmit={ask}
          schema={schema}
          rows={4}
          maxRows={12}
          placeholder={sqlTexts.placeholder}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            look="primary"
            icon={<Play size={14} />}
            busy={answer.isFetching}
            disabled={!sql.trim()}
            onClick={ask}
            title={sayKeys('mod+enter')}
          >
            {sqlTexts.run}
          </Button>
          <kbd>{sayKeys('mod+enter')}</kbd>
          <p className="text-caption text-text-3">{sqlTexts.help}</p>
        </div>
      </div>
      <div className="flex min-h-0 flex-1 flex-col">
        {asked === '' && <EmptyState icon={<Database size={20} aria-hidden />} {...sqlTexts.first} />}
        {asked !== '' && answer.isPending && <Loading rows={6} />}
        {answer.isError && <ErrorState error={answer.error} onRetry={ask} />}
        {answer.data && !answer.isError && <SqlResult answer={answer.data} />}
      </div>
    </div>
  );
}
