import { useRouter } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useWorkspace } from '../../api/session.ts';
import { isApple, sayKeys } from '../../lib/shortcuts.ts';
import { t } from '../../text/en.ts';
import { helpTexts } from '../../text/help.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { useShell } from '../shell-store.ts';
import { filterEntries } from './filter-entries.ts';
import { PaletteFoot } from './palette-foot.tsx';
import { readRecent } from './recent.ts';
import { guideEntries, type PaletteEntry, useCommands, usePages } from './use-commands.tsx';
import { useFound } from './use-found.tsx';

const words = t.shell.palette;

/** Search and commands. What the browser knows comes at once; what the server finds is added below and moves nothing. */
export function Palette() {
  const close = useShell(({ close }) => close);
  const { id: w } = useWorkspace();
  const router = useRouter();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const onlyCommands = text.startsWith('>');
  const asked = onlyCommands ? text.slice(1).trim() : text.trim();
  const commands = filterEntries(useCommands(), asked);
  const pages = filterEntries(usePages(), asked);
  const recent = readRecent(w)
    .filter(({ href }) => href !== router.state.location.href)
    .map(
      ({ href, title }): PaletteEntry => ({
        ...{ id: `recent ${href}`, label: title, href },
        icon: <Search size={16} />,
      }),
    );
  const { groups, isSearching, failed } = useFound(onlyCommands ? '' : text);
  const groupsShown: [string, readonly (PaletteEntry & { title?: ReactNode })[]][] = onlyCommands
    ? [[words.do, commands]]
    : asked === ''
      ? [
          [words.do, commands.slice(0, 6)],
          [words.recent, recent.slice(0, 5)],
          [words.goTo, pages],
        ]
      : [
          [words.do, commands.slice(0, 5)],
          [words.goTo, [...pages, ...filterEntries(recent, asked)].slice(0, 6)],
          ...groups.map(({ label, entries }) => [label, entries] as [string, typeof entries]),
          // Guides stand below what is the person's own, so they come when that is known: nothing moves then.
          [helpTexts.guides, isSearching ? [] : filterEntries(guideEntries, asked).slice(0, 4)],
        ];
  const all = groupsShown.flatMap(([, entries]) => entries);

  const pick = (entry: PaletteEntry, inNewTab = false) => {
    if (inNewTab && entry.href) {
      window.open(entry.href, '_blank', 'noopener');
      return;
    }
    close();
    entry.run?.();
    if (entry.href?.startsWith('/docs')) location.assign(entry.href);
    else if (entry.href) router.history.push(entry.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const held = isApple ? event.metaKey : event.ctrlKey;
    const entry = all.find(({ id }) => id === chosen);
    if (!held || !entry?.href) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      pick(entry, true);
    }
    if (event.key === 'c' && String(getSelection()) === '') {
      event.preventDefault();
      void navigator.clipboard.writeText(location.origin + entry.href);
    }
  };
  return (
    <Radix.Root open onOpenChange={(open) => !open && close()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
        <Radix.Content
          aria-describedby={undefined}
          className="enter fixed inset-x-0 top-[13vh] z-40 mx-auto flex max-h-[74vh] w-170 max-w-[calc(100vw-24px)] flex-col overflow-hidden rounded-4 border border-line bg-surface shadow-3 max-phone:top-3 max-phone:max-h-[calc(100dvh-24px)]"
        >
          <Radix.Title className="sr-only">{words.title}</Radix.Title>
          <Command
            label={words.title}
            shouldFilter={false}
            value={chosen}
            onValueChange={setChosen}
            onKeyDown={onKeyDown}
            className="flex min-h-0 flex-1 flex-col"
          >
            <div className="flex h-14 flex-none items-center gap-3 border-b border-line px-4.5">
              <Search size={18} aria-hidden className="flex-none text-text-3" />
              <Command.Input
                autoFocus
                value={text}
                onValueChange={setText}
                placeholder={words.placeholder}
                className="h-full flex-1 bg-transparent text-[16px] outline-none"
              />
              {isSearching && <Spinner size={16} />}
            </div>
            <Command.List label={words.results} className="min-h-0 flex-1 overflow-y-auto px-2 pt-1.5 pb-2.5">
              {groupsShown.map(
                ([label, entries]) =>
                  entries.length > 0 && (
                    <Command.Group
                      key={label}
                      heading={label}
                      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-caption [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-text-3"
                    >
                      {entries.map((entry) => (
                        <PaletteRow key={entry.id} entry={entry} onPick={() => pick(entry)} />
                      ))}
                    </Command.Group>
                  ),
              )}
              {all.length === 0 && !isSearching && (
                <p className="px-2.5 py-6 text-center text-text-2">{failed ? words.failed : words.nothing(asked)}</p>
              )}
            </Command.List>
            <PaletteFoot keysOfNewTab={sayKeys('mod+enter')} />
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function PaletteRow({ entry, onPick }: { entry: PaletteEntry & { title?: ReactNode }; onPick: () => void }) {
  return (
    <Command.Item
      value={entry.id}
      onSelect={onPick}
      className="group flex min-h-10 cursor-pointer items-center gap-2.75 rounded-2 px-2.5 text-base data-[selected=true]:bg-accent-soft pointer-coarse:min-h-11"
    >
      <span aria-hidden className="flex-none text-text-3">
        {entry.icon}
      </span>
      <span className="max-w-[60%] flex-none truncate font-medium">{entry.title ?? entry.label}</span>
      <span className="min-w-0 flex-1 truncate text-text-3 group-data-[selected=true]:text-text-2">{entry.note}</span>
      {entry.keys && <kbd className="max-phone:hidden">{entry.keys}</kbd>}
    </Command.Item>
  );
}
