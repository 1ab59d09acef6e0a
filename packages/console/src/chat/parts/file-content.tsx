import { useQuery } from '@tanstack/react-query';
import { useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { CsvTable } from '../../ui/file/csv-table.tsx';
import { languageOf, lookOf } from '../../ui/file/kind-of-file.ts';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { CodeBlock } from '../markdown/code-block.tsx';
import { useAddress } from './file-bytes.ts';
import { FilePages } from './file-pages.tsx';
import { OfficePages } from './office-pages.tsx';
import type { ShownFile } from './shown-file.ts';

/** Of a longer text the beginning is shown; the whole is in the download. */
const mostCharacters = 200_000;
const mostBytes = 20_000_000;

interface FileContentProps {
  file: ShownFile;
  /** Where its bytes are kept once they are loaded. */
  queryKey: readonly unknown[];
  load: () => Promise<Blob>;
}

/** What is in a file: a picture, the pages of a PDF, a table, an Office file, code, text, or a drawing of the server. */
export function FileContent({ file, queryKey, load }: FileContentProps) {
  const look = lookOf(file.name, file.type);
  if (look === 'office') return <OfficePages file={file} />;
  if (look === 'pdf' || look === 'drawn') return <FilePages file={file} />;
  const isTooLarge = look !== 'picture' && (file.size ?? 0) > mostBytes;
  if (look === 'none' || isTooLarge) return <EmptyState title={t.chatParts.files.noPreview} className="py-8" />;
  if (look === 'picture') return <Picture {...{ file, queryKey, load }} />;
  return <TextContent {...{ file, queryKey, load }} />;
}

function useBytesOf({ queryKey, load }: Omit<FileContentProps, 'file'>) {
  const { id: w } = useWorkspace();
  return useQuery({
    queryKey: [w, ...queryKey],
    queryFn: load,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

function Picture({ file, ...source }: FileContentProps) {
  const { data, error, refetch } = useBytesOf(source);
  const address = useAddress(data);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} className="m-0" />;
  return address ? <img src={address} alt={file.name} className="mx-auto max-h-[65dvh] max-w-full" /> : <Loading />;
}

function TextContent({ file, ...source }: FileContentProps) {
  const { id: w } = useWorkspace();
  const bytes = useBytesOf(source);
  const text = useQuery({
    queryKey: [w, ...source.queryKey, 'text'],
    queryFn: async () => (await bytes.data?.text())?.slice(0, mostCharacters) ?? '',
    enabled: bytes.data !== undefined,
  });
  if (bytes.error) return <ErrorState error={bytes.error} onRetry={() => void bytes.refetch()} className="m-0" />;
  if (text.data === undefined) return <Loading />;
  const look = lookOf(file.name, file.type);
  if (look === 'csv') return <CsvTable name={file.name} text={text.data} />;
  if (look === 'code' || look === 'page')
    return (
      <div className="max-h-[65dvh] overflow-auto">
        <CodeBlock code={text.data} language={languageOf(file.name) ?? (look === 'page' ? 'xml' : 'json')} />
      </div>
    );
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard.
      tabIndex={0}
      dir="auto"
      className="max-h-[65dvh] overflow-auto rounded-3 bg-sunken p-3.5 font-mono text-code whitespace-pre-wrap"
    >
      {text.data}
    </pre>
  );
}
