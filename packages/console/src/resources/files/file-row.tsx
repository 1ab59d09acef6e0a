import { Download, MoreHorizontal, Trash2 } from 'lucide-react';
import { sayBytes } from '../../lib/numbers.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Row } from '../common/row.tsx';
import { FileSign } from './file-icon.tsx';
import { type StoredFile, useDownloadFile } from './files.ts';

const words = resourceTexts.files;

interface FileRowProps {
  file: StoredFile;
  isPicked: boolean;
  onPick: (picked: boolean) => void;
  onOpen: () => void;
  onDelete: () => void;
}

export function FileRow({ file, isPicked, onPick, onOpen, onDelete }: FileRowProps) {
  const { filename, size, content_type, created_at, may } = file;
  const download = useDownloadFile();
  return (
    <Row
      before={<Checkbox bare label={words.pick(filename)} checked={isPicked} onChange={onPick} />}
      icon={<FileSign file={file} />}
      title={filename}
      onOpen={onOpen}
      end={
        <>
          <time
            dateTime={created_at}
            title={sayExactTime(created_at)}
            className="text-dense whitespace-nowrap text-text-3 max-phone:hidden"
          >
            {sayTime(created_at)}
          </time>
          <Menu
            trigger={<IconButton label={resourceTexts.more(filename)} icon={<MoreHorizontal size={16} />} />}
            groups={[
              [{ label: words.download, icon: <Download size={15} />, onSelect: () => void download(file) }],
              [
                {
                  ...{ label: t.ui.delete, icon: <Trash2 size={15} />, danger: true, onSelect: onDelete },
                  refused: !may?.['delete'] && resourceTexts.needs('files_edit'),
                },
              ],
            ]}
          />
        </>
      }
    >
      <span className="num text-text-3">
        {sayBytes(size)} · {content_type.split(';')[0]}
      </span>
    </Row>
  );
}
