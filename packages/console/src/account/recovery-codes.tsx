import { accountTexts } from '../text/account.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';

const words = accountTexts.secondFactor;

/** Shown once: it closes only by the button that says that they are stored. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 className="text-section">{words.codesTitle}</h3>
        <p className="text-text-2">{words.codesHelp}</p>
      </div>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-3 bg-sunken p-4 font-mono text-code max-phone:grid-cols-1">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={codes.join('\n')} label={words.copyCodes} />
        <Button look="primary" onClick={onStored}>
          {words.stored}
        </Button>
      </div>
    </div>
  );
}
