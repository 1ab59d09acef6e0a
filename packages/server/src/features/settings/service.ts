/** The face of settings: merging, tightening, masking, and the permissions of changes. */

export { permissionsToUse } from './capability-needs.ts';
export {
  findUnknownReferences,
  goneReference,
  referencesIn,
  sortDangling,
  unknownReference,
  uuid,
} from './check-references.ts';
export { checkPrograms, requireSettingsSize } from './check-settings.ts';
export { dropLoosenedSettings } from './drop-loosened-settings.ts';
export { toolEntryOf } from './find-tool-entry.ts';
export { inheritedFrom, inheritedLayer, joinInherited, tightenToInherited } from './inherited-settings.ts';
export { lockedKeysOf, lockedLayer } from './locked-layer.ts';
export { checkLocks, exemptLocksAfter } from './locks.ts';
export {
  dropMaskedValues,
  holdsMask,
  maskedKeys,
  maskSettings,
  mustMaskCredentials,
  stripSettings,
} from './masks/mask-settings.ts';
export { restoreMasked, restoreMaskedSettings } from './masks/restore-masked-values.ts';
export { makeResolver, nameReferences, type ReferenceTargetOf, referenceKey } from './resolve-references.ts';
export { makeSettingsAuthority, requirePermissions } from './settings-authority.ts';
export { makeSettingsTextCache } from './settings-text-cache.ts';
export { isAsStrict, pickTightened } from './tighten-settings.ts';
export { warnOfUnknownModels } from './warnings/warn-of-unknown-models.ts';
export { combineWarnings, warnOfSettingsWithoutEffect, withWarnings } from './warnings/with-warnings.ts';
