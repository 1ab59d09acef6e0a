import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

const itemLook =
  'flex w-full items-center gap-2.5 rounded-2 px-2 py-1.5 text-label outline-none select-none data-[highlighted]:bg-sunken data-[disabled]:opacity-50 pointer-coarse:py-3';

export interface MenuEntry {
  /** Tells entries with the same name apart. */
  id?: string;
  label: string;
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
  checked?: boolean;
  /** Why the entry is off; it is shown behind its name. */
  refused?: string | false | undefined;
  onSelect: () => void;
}

export interface MenuProps {
  trigger: ReactNode;
  /** Entries in groups; a line is drawn between groups. */
  groups: (readonly (MenuEntry | false | undefined)[])[];
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
  header?: ReactNode;
  className?: string;
}

/** Open from its first moment: it is loaded by the press that asks for it. */
export function MenuRoot({ trigger, groups, align = 'end', side = 'bottom', header, className }: MenuProps) {
  const shown = groups.map((group) => group.filter((entry) => entry !== false && entry !== undefined));
  return (
    <Radix.Root defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={cx(
            'enter z-40 max-h-[70dvh] min-w-48 overflow-y-auto rounded-3 border border-line bg-surface p-1 shadow-2',
            className,
          )}
        >
          {header}
          {shown
            .filter((group) => group.length > 0)
            .map((group, index) => (
              <Radix.Group key={group[0]?.id ?? group[0]?.label}>
                {index > 0 && <Radix.Separator className="my-1 h-px bg-line" />}
                {group.map((entry) => (
                  <MenuRow key={entry.id ?? entry.label} {...entry} />
                ))}
              </Radix.Group>
            ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function MenuRow({ label, icon, keys, danger, checked, refused, onSelect }: MenuEntry) {
  const content = (
    <>
      {icon}
      <span className="flex-1">
        {label}
        {refused && <span className="block text-caption text-text-3">{refused}</span>}
      </span>
      {keys && <kbd>{keys}</kbd>}
      {checked && <span aria-hidden>✓</span>}
    </>
  );
  const className = cx(itemLook, danger && 'text-bad');
  const common = { className, disabled: Boolean(refused), onSelect };
  return checked === undefined ? (
    <Radix.Item {...common}>{content}</Radix.Item>
  ) : (
    <Radix.CheckboxItem {...common} checked={checked}>
      {content}
    </Radix.CheckboxItem>
  );
}
