import { Link } from '@tanstack/react-router';
import { FileImage, FileSpreadsheet, FileText, Folder, Globe, Lock, Mail, MoreHorizontal } from 'lucide-react';
import { useMay } from '../../api/session.ts';
import { sayBytes } from '../../lib/numbers.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { type KbDocument, pathOfFolder, sayFolder } from '../queries.ts';
import type { BulkAction } from './bulk-dialogs.tsx';
import { DocumentState } from './document-state.tsx';
import { useBulk } from './use-bulk.ts';

const words = documentTexts.list;
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });
const nameLanguage = (code: string) => {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code;
  }
};

function iconOf({ status, source_type, name, doc_type }: KbDocument) {
  if (status === 'folder') return Folder;
  if (source_type === 'website') return Globe;
  if (/\.(?:csv|tsv|xlsx?)$/i.test(name)) return FileSpreadsheet;
  if (/\.(?:eml|msg)$/i.test(name)) return Mail;
  return doc_type?.startsWith('image/') ? FileImage : FileText;
}

interface DocumentRowProps {
  item: KbDocument;
  isChosen: boolean;
  isPicked: boolean;
  onPick: (on: boolean) => void;
  onAsk: (action: BulkAction) => void;
}

export function DocumentRow({ item, isChosen, isPicked, onPick, onAsk }: DocumentRowProps) {
  const { id, name, prefix, pages, language, size, updated_at, status, visible_to } = item;
  const may = useMay();
  const { train } = useBulk();
  const Icon = iconOf(item);
  const isFolder = status === 'folder';
  const facts = [
    sayFolder(prefix),
    pages !== null && words.pages(pages),
    language && nameLanguage(language),
    !isFolder && size > 0 && sayBytes(size),
  ];
  const refusedEdit = !may('kbs_edit') && baseTexts.needsEdit;
  return (
    <li
      className={cx(
        'relative flex min-h-13 items-center gap-x-3 gap-y-1 px-4 py-1.5 max-phone:flex-wrap',
        isChosen ? 'bg-accent-soft' : 'hover:bg-bg',
      )}
    >
      <span className="relative z-10">
        <Checkbox bare label={words.pick(name)} checked={isPicked} onChange={onPick} />
      </span>
      <Icon size={16} aria-hidden className="flex-none text-text-3" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-1.5">
          <Link
            from="/w/$w/knowledge/$id/documents"
            to="."
            search={(old) =>
              isFolder
                ? { sort: old.sort, prefix: pathOfFolder(item) }
                : { ...old, doc: id, passage: undefined, start: undefined }
            }
            data-row-link
            data-document={id}
            aria-current={isChosen || undefined}
            className="truncate font-medium text-text after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {name}
          </Link>
          {visible_to && (
            <span title={words.restricted} className="flex-none text-text-3">
              <Lock size={12} aria-hidden />
              <span className="sr-only">{words.restricted}</span>
            </span>
          )}
        </p>
        <p className="truncate text-caption text-text-3">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {!isFolder && (
        <div className="w-64 flex-none max-phone:order-last max-phone:w-full max-phone:pl-14">
          <DocumentState item={item} />
        </div>
      )}
      <time
        dateTime={updated_at}
        title={sayExactTime(updated_at)}
        className="w-20 flex-none text-dense whitespace-nowrap text-text-3 max-phone:hidden"
      >
        {sayTime(updated_at)}
      </time>
      <span className="relative z-10">
        <Menu
          trigger={<IconButton label={words.more(name)} icon={<MoreHorizontal size={16} />} />}
          groups={[
            [
              !isFolder && { label: documentTexts.train, refused: refusedEdit, onSelect: () => void train([id]) },
              { label: documentTexts.bulk.move, refused: refusedEdit, onSelect: () => onAsk('move') },
            ],
            [
              {
                ...{ label: documentTexts.bulk.remove, danger: true, onSelect: () => onAsk('delete') },
                refused: !may('kbs_delete') && baseTexts.needsDelete,
              },
            ],
          ]}
        />
      </span>
    </li>
  );
}
