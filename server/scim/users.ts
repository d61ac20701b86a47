import { z } from 'zod'
import { ProductError } from '#contract/errors.ts'
import { NewUser, type UserDetails } from '#contract/people/user-edit.ts'
import { leastRole } from '#contract/vocabulary/roles.ts'
import { Language } from '#contract/vocabulary/world/languages.ts'
import { externalIdOf, provisionedIds, saveExternalId } from '#database/people/provisioning.ts'
import { claimOfRole } from '#domain/people/role-claim.ts'
import { userEditHandlers } from '../api/people/user-edit.ts'
import { type DirectoryCall, membershipOf, updateUser, userOf } from './directory.ts'
import { filterOf, listOf, localPath, type Operation, operationsOf, pageOf, ScimError, urns } from './messages.ts'

/** What a directory may say of a user. Entra writes booleans as text. */
const Flag = z.union([
  z.boolean(),
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false']))
    .transform((text) => text === 'true'),
])
const Text = z.string().trim().min(1).max(200)
const Attributes = z.object({
  userName: z.string().max(320).optional(),
  displayName: Text.nullish(),
  name: z.object({ formatted: Text.nullish(), givenName: Text.nullish(), familyName: Text.nullish() }).nullish(),
  active: Flag.optional(),
  externalId: Text.nullish(),
  preferredLanguage: z.string().max(35).nullish(),
})
type Attributes = z.infer<typeof Attributes>

const attributesIn = (value: unknown): Attributes => {
  const read = Attributes.safeParse(value)
  if (!read.success)
    throw new ScimError(400, 'invalidValue', read.error.issues.map(({ path }) => path.join('.')).join(', '))
  return read.data
}

/** Attributes of the standard that users here do not have. */
const unknownHere =
  /^(emails|phoneNumbers|photos|addresses|ims|entitlements|roles|x509Certificates|title|userType|nickName|profileUrl|locale|timezone)\b/i

const settable = ['userName', 'displayName', 'active', 'externalId', 'preferredLanguage'] as const
const nameParts = ['formatted', 'givenName', 'familyName'] as const

/** Attributes that one operation of a PATCH sets. */
function changesOf({ op, path, value }: Operation): Attributes {
  const wanted = op === 'remove' ? null : value
  if (path === undefined) {
    if (op === 'remove' || typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ScimError(400, 'invalidValue', 'An operation without a path has an object of attributes')
    return Object.entries(value).reduce<Attributes>(
      (all, [name, one]) => merged(all, changesOf({ op, path: name, value: one })),
      {},
    )
  }
  const local = localPath(path)
  if (/^groups\b/i.test(local)) throw new ScimError(400, 'mutability', 'Groups are changed at /Groups')
  if (unknownHere.test(local) || /^urn:/i.test(local)) return {}
  if (local.toLowerCase() === 'name') return attributesIn({ name: wanted })
  const part = nameParts.find((one) => local.toLowerCase() === `name.${one.toLowerCase()}`)
  if (part) return attributesIn({ name: { [part]: wanted } })
  const attribute = settable.find((one) => one.toLowerCase() === local.toLowerCase())
  if (!attribute) throw new ScimError(400, 'invalidPath', path.slice(0, 100))
  if (op === 'remove' && (attribute === 'userName' || attribute === 'active'))
    throw new ScimError(400, 'mutability', `${attribute} cannot be removed`)
  return attributesIn({ [attribute]: wanted })
}

const merged = (before: Attributes, after: Attributes): Attributes => ({
  ...before,
  ...after,
  ...((before.name || after.name) && { name: { ...before.name, ...after.name } }),
})

/** The name that attributes give; parts that they do not say come from the present name. */
function nameIn({ displayName, name }: Attributes, present: string): string {
  if (displayName) return displayName
  if (name?.formatted) return name.formatted
  if (!name?.givenName && !name?.familyName) return present
  const [given = '', ...family] = present.split(' ')
  return [name.givenName ?? given, name.familyName ?? family.join(' ')].filter(Boolean).join(' ')
}

const languageIn = (text: string): Language | null =>
  Language.nullable().catch(null).parse(text.slice(0, 2).toLowerCase())

/** A user as the standard writes it. */
export async function presentScimUser(call: DirectoryCall, user: UserDetails, base: string): Promise<object> {
  const externalId = await externalIdOf(call.doors, call.merchantId, user.id)
  const { groupIds } = membershipOf(call, user)
  const groups = user.merchants
    .flatMap((one) => one.groups)
    .filter(({ id }) => groupIds.includes(id))
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
  return {
    schemas: [urns.user],
    id: user.id,
    ...(externalId !== null && { externalId }),
    userName: user.email,
    displayName: user.name,
    name: { formatted: user.name },
    emails: [{ value: user.email, type: 'work', primary: true }],
    ...(user.language && { preferredLanguage: user.language }),
    active: user.status !== 'suspended',
    groups: [
      { value: user.role, display: claimOfRole(user.role), $ref: `${base}/Groups/${user.role}` },
      ...groups.map(({ id, name }) => ({ value: id, display: name, $ref: `${base}/Groups/${id}` })),
    ],
    meta: {
      resourceType: 'User',
      created: `${user.createdAt}Z`,
      location: `${base}/Users/${user.id}`,
      version: `W/"${user.version}"`,
    },
  }
}

/** The version that a call expects, from `If-Match`; the present one without it. */
function versionOf({ request }: DirectoryCall, user: UserDetails): number {
  const expected = request.headers['if-match']
  if (expected === undefined || expected === '*') return user.version
  const version = /^(?:W\/)?"(\d{1,9})"$/.exec(expected)?.[1]
  if (Number(version) !== user.version) throw new ProductError('EditConflict')
  return user.version
}

/** Saves attributes of a user; what is left out stays. */
async function save(call: DirectoryCall, user: UserDetails, attributes: Attributes): Promise<UserDetails> {
  const { userName, active, externalId, preferredLanguage } = attributes
  const saved = await updateUser(call, user, {
    version: versionOf(call, user),
    name: nameIn(attributes, user.name),
    ...(userName !== undefined && { email: userName }),
    ...(active !== undefined && { isSuspended: !active }),
    ...(preferredLanguage !== undefined && { language: preferredLanguage ? languageIn(preferredLanguage) : null }),
  })
  if (externalId !== undefined) await saveExternalId(call.doors, call.merchantId, user.id, externalId)
  return saved
}

export async function listScimUsers(
  call: DirectoryCall,
  query: Record<string, unknown>,
  base: string,
): Promise<object> {
  const page = pageOf(query)
  const filter = filterOf(query.filter, ['userName', 'externalId', 'id'])
  const isId = filter?.attribute !== 'id' || z.uuid().safeParse(filter.value).success
  if (!isId) return listOf([], 0, page)
  const names = { userName: 'email', externalId: 'externalId', id: 'id' } as const
  const wanted = filter && {
    [names[filter.attribute]]: filter.attribute === 'userName' ? filter.value.toLowerCase() : filter.value,
  }
  const { ids, total } = await provisionedIds(call.doors, call.merchantId, wanted ?? {}, page)
  const resources: object[] = []
  for (const id of ids) resources.push(await presentScimUser(call, await userOf(call, id), base))
  return listOf(resources, total, page)
}

/** Invites a user: a merchant user of all groups, until groups say otherwise. */
export async function createScimUser(call: DirectoryCall, body: unknown, base: string): Promise<object> {
  const attributes = attributesIn(body)
  const email = attributes.userName ?? ''
  const made = NewUser.safeParse({
    email,
    name: nameIn(attributes, email),
    language: attributes.preferredLanguage ? languageIn(attributes.preferredLanguage) : null,
    role: leastRole,
    merchants: [{ merchantId: call.merchantId, allGroups: true, groupIds: [] }],
    receiveNotifications: false,
  })
  if (!made.success) throw new ScimError(400, 'invalidValue', 'userName is an email address')
  const { invitation: _, ...created } = await userEditHandlers.createUser({
    ...call,
    params: undefined,
    query: undefined,
    body: made.data,
  })
  if (attributes.externalId) await saveExternalId(call.doors, call.merchantId, created.id, attributes.externalId)
  const user = attributes.active === false ? await updateUser(call, created, { isSuspended: true }) : created
  return presentScimUser(call, user, base)
}

export async function replaceScimUser(call: DirectoryCall, id: string, body: unknown, base: string): Promise<object> {
  const user = await userOf(call, id)
  return presentScimUser(call, await save(call, user, attributesIn(body)), base)
}

export async function patchScimUser(call: DirectoryCall, id: string, body: unknown, base: string): Promise<object> {
  const attributes = operationsOf(body).reduce<Attributes>((all, one) => merged(all, changesOf(one)), {})
  return presentScimUser(call, await save(call, await userOf(call, id), attributes), base)
}

export async function deleteScimUser(call: DirectoryCall, id: string): Promise<void> {
  const user = await userOf(call, id)
  versionOf(call, user)
  await userEditHandlers.deleteUser({ ...call, params: { userId: user.id }, query: undefined, body: undefined })
}
