import { effectiveAddress, isMetadata, isMetadataName, isPublic } from './address-rules.ts';
import type { AllowList } from './allow-list.ts';

/** The kind of an address by its text alone; a `name` has to be resolved first. */
export type AddressKind = 'public' | 'allowed' | 'private' | 'metadata' | 'name';

const localName = /(?:^|\.)localhost$/;

/** Predicts which addresses the connection guard will refuse. Not a check by itself: a name may resolve to any address. */
export const makeAddressKind =
  (allow: AllowList) =>
  (url: string): AddressKind => {
    const host =
      URL.parse(url)
        ?.hostname.replace(/^\[(.*)\]$/, '$1')
        .replace(/\.$/, '') ?? '';
    const address = effectiveAddress(host);
    if (isMetadataName(host) || (address && isMetadata(address))) return 'metadata';
    if (allow.host(host) || (address && allow.address(address))) return 'allowed';
    if (address) return isPublic(address) ? 'public' : 'private';
    return localName.test(host) ? 'private' : 'name';
  };
