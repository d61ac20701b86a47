import { listOf, urns } from './messages.ts'

const attribute = (
  name: string,
  more: Partial<{
    type: string
    multiValued: boolean
    required: boolean
    mutability: string
    uniqueness: string
    subAttributes: object[]
  }> = {},
): object => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

const everything = { offset: 0 }

/** The kinds of resources (RFC 7643, 6). */
export const resourceTypes = (base: string): object => {
  const types = [
    { id: 'User', endpoint: '/Users', schema: urns.user },
    { id: 'Group', endpoint: '/Groups', schema: urns.group },
  ].map((one) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    name: one.id,
    ...one,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${one.id}` },
  }))
  return listOf(types, types.length, everything)
}

const reference = [attribute('value', { mutability: 'immutable' }), attribute('display', { mutability: 'readOnly' })]

/** The attributes that are kept (RFC 7643, 7). */
export const schemas = (base: string): object => {
  const kept = [
    {
      id: urns.user,
      name: 'User',
      attributes: [
        attribute('userName', { required: true, uniqueness: 'server' }),
        attribute('displayName'),
        attribute('name', {
          type: 'complex',
          subAttributes: [attribute('formatted'), attribute('givenName'), attribute('familyName')],
        }),
        attribute('active', { type: 'boolean' }),
        attribute('preferredLanguage'),
        attribute('emails', {
          type: 'complex',
          multiValued: true,
          mutability: 'readOnly',
          subAttributes: [attribute('value')],
        }),
        attribute('groups', { type: 'complex', multiValued: true, mutability: 'readOnly', subAttributes: reference }),
      ],
    },
    {
      id: urns.group,
      name: 'Group',
      attributes: [
        attribute('displayName', { required: true, mutability: 'readOnly' }),
        attribute('members', { type: 'complex', multiValued: true, subAttributes: reference }),
      ],
    },
  ].map((one) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...one,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${one.id}` },
  }))
  return listOf(kept, kept.length, everything)
}
