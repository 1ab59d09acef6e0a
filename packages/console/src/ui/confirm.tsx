import { type ReactNode, useState } from 'react';
import { t } from '../text/en.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { sayFailure } from './toast.tsx';

interface ConfirmProps {
  open: boolean;
  onClose: () => void;
  /** Names the thing: "Delete the table orders?" */
  title: string;
  /** What goes along with it. */
  help?: ReactNode;
  children?: ReactNode;
  /** Says the result: "Delete table". */
  action: string;
  keep?: string;
  look?: 'danger' | 'primary';
  onConfirm: () => Promise<unknown> | unknown;
}

export function Confirm({
  open,
  onClose,
  title,
  help,
  children,
  action,
  keep,
  look = 'danger',
  onConfirm,
}: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      sayFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      short
      changed={false}
      onClose={onClose}
      title={title}
      help={help}
      foot={
        <>
          <Button data-autofocus={children ? undefined : true} onClick={onClose}>
            {keep ?? t.ui.keepIt}
          </Button>
          <Button look={look === 'danger' ? 'destroy' : look} busy={busy} onClick={confirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
