import { KeyRound, MoreHorizontal, Pencil, Trash2, Variable as VariableIcon } from 'lucide-react';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Chip } from '../../ui/chip.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Row } from '../common/row.tsx';
import { sayHosts, type Variable } from './variables.ts';

const words = resourceTexts.variables;

interface VariableRowProps {
  variable: Variable;
  onEdit: () => void;
  onDelete: () => void;
}

/** A variable with what is known of it. Of a secret that is everything but its value. */
export function VariableRow({ variable, onEdit, onDelete }: VariableRowProps) {
  const { name, type, source, is_secret, inline_value, allowed_hosts, updated_at, may } = variable;
  const needsEdit = resourceTexts.needs('variables_edit');
  const facts = [source === 'inline' ? words.types[type] : words.sources[source], sayHosts(variable)];
  return (
    <Row
      icon={is_secret ? <KeyRound size={16} /> : <VariableIcon size={16} />}
      title={<span className="font-mono text-code">{name}</span>}
      onOpen={onEdit}
      chips={
        <>
          {is_secret && <Chip tone="info">{words.secret}</Chip>}
          {is_secret && allowed_hosts === null && <Chip tone="warn">{words.noHosts}</Chip>}
        </>
      }
      end={
        <>
          <time
            dateTime={updated_at}
            title={sayExactTime(updated_at)}
            className="text-dense whitespace-nowrap text-text-3 max-phone:hidden"
          >
            {sayTime(updated_at)}
          </time>
          <Menu
            trigger={<IconButton label={resourceTexts.more(name)} icon={<MoreHorizontal size={16} />} />}
            groups={[
              [
                {
                  ...{ label: resourceTexts.edit, icon: <Pencil size={15} />, onSelect: onEdit },
                  refused: !may?.['edit'] && needsEdit,
                },
              ],
              [
                {
                  ...{ label: t.ui.delete, icon: <Trash2 size={15} />, danger: true, onSelect: onDelete },
                  refused: !may?.['delete'] && needsEdit,
                },
              ],
            ]}
          />
        </>
      }
    >
      <span className="flex min-w-0 flex-wrap gap-x-3">
        {inline_value !== null && (
          <span className="max-w-full truncate font-mono text-code">{inline_value.slice(0, 200)}</span>
        )}
        <span className="min-w-0 text-text-3">{facts.filter(Boolean).join(' · ')}</span>
      </span>
    </Row>
  );
}
