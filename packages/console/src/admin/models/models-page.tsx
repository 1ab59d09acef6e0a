import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMay } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { modelTexts as words } from '../../text/admin/models.ts';
import { Button } from '../../ui/button.tsx';
import { SectionPage } from '../shared/section-page.tsx';
import { DefaultModels } from './default-models.tsx';
import { Presets } from './presets.tsx';
import { ProviderList } from './provider-list.tsx';

const ProviderDialog = lazyPart(() =>
  import('./provider-dialog.tsx').then((file) => ({ default: file.ProviderDialog })),
);

/** Providers of models, the default models and the presets. */
export function ModelsPage() {
  const [adding, setAdding] = useState(false);
  const refused = !useMay()('settings_write') && words.needs;
  return (
    <SectionPage
      section="models"
      guide="models"
      actions={
        <Button look="primary" icon={<Plus size={15} aria-hidden />} refused={refused} onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      }
    >
      <ProviderList refused={refused} />
      <DefaultModels refused={refused} />
      <Presets refused={refused} />
      <Suspense>{adding && <ProviderDialog onClose={() => setAdding(false)} />}</Suspense>
    </SectionPage>
  );
}
