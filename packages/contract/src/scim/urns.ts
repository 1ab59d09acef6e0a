/** The names that SCIM 2.0 (RFC 7643 and 7644) gives to its schemas and messages. */
export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const schemaUrn = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
export const resourceTypeUrn = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
export const configUrn = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
export const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error';
export const scimMediaType = 'application/scim+json';
