import { Link } from '@tanstack/react-router';
import { sayKeys, useShortcutRegistry } from '../lib/shortcuts.ts';
import { t } from '../text/en.ts';
import { helpTexts } from '../text/help.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useShell } from './shell-store.ts';

const words = t.shell.sheet;

/** The keys of this page and those that work everywhere, from the registry. */
export function ShortcutSheet() {
  const close = useShell(({ close }) => close);
  const { active, singleKeys } = useShortcutRegistry();
  // The one that was registered last is the one that works.
  const byKeys = new Map(active.map((shortcut) => [shortcut.keys, shortcut]));
  const all = [...byKeys.values()];
  const groups = [
    [words.thisPage, all.filter(({ everywhere }) => !everywhere)],
    [words.everywhere, all.filter(({ everywhere }) => everywhere)],
  ] as const;
  return (
    <Dialog
      open
      onClose={close}
      title={words.title}
      help={singleKeys ? words.help : words.singleOff}
      wide
      foot={
        <Link to="/help" onClick={close} className="mr-auto text-label font-medium">
          {helpTexts.all}
        </Link>
      }
    >
      <div className="grid gap-x-10 gap-y-5 phone:grid-cols-2">
        {groups.map(
          ([label, shortcuts]) =>
            shortcuts.length > 0 && (
              <section key={label} aria-label={label}>
                <h3 className="mb-1.5 text-label font-semibold">{label}</h3>
                <dl>
                  {shortcuts.map(({ keys, label: name }) => (
                    <div key={keys} className="flex items-center gap-3 border-b border-line py-1.5 last:border-0">
                      <dt className="flex-1 text-label">{name}</dt>
                      <dd>
                        <kbd>{sayKeys(keys)}</kbd>
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ),
        )}
      </div>
    </Dialog>
  );
}
