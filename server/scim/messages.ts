import { z } from 'zod'
import { type ErrorCode, errors, type ProductError } from '#contract/errors.ts'

/** The names of the schemas of RFC 7643 and the messages of RFC 7644 that are used here. */
export const urns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const

type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'tooMany'
  | 'uniqueness'

/** A refusal in the words of the standard. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined
  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

const scimTypes: Partial<Record<ErrorCode, ScimType>> = {
  UserAlreadyExists: 'uniqueness',
  UserEmailFixed: 'mutability',
  MerchantAdminWithGroups: 'invalidValue',
  GroupAdminMerchantsValidationException: 'invalidValue',
  ValidationFailed: 'invalidValue',
}

/** Refusals that the standard answers otherwise than our API does. */
const statuses: Partial<Record<ErrorCode, number>> = { EditConflict: 412 }

/** A refusal of ours as one of the standard. Its detail is our code, which the documentation names. */
export const scimErrorOf = (error: ProductError): ScimError =>
  new ScimError(statuses[error.code] ?? errors[error.code], scimTypes[error.code], error.code)

export const errorBody = ({ status, scimType, message }: ScimError) => ({
  schemas: [urns.error],
  status: String(status),
  ...(scimType && { scimType }),
  detail: message,
})

/** Resources per page; a page without `count` has as many. */
export const mostPerPage = 100

const count = (text: unknown, least: number, otherwise: number) => {
  if (text === undefined) return otherwise
  const number = Number(text)
  if (!Number.isInteger(number)) throw new ScimError(400, 'invalidValue', 'startIndex and count are whole numbers')
  return Math.max(least, number)
}

/** The page that a query asks for. */
export function pageOf(query: Record<string, unknown>): { offset: number; size: number } {
  return {
    offset: Math.min(count(query.startIndex, 1, 1), 1_000_000) - 1,
    size: Math.min(count(query.count, 0, mostPerPage), mostPerPage),
  }
}

export const listOf = (resources: readonly object[], total: number, { offset }: { offset: number }) => ({
  schemas: [urns.list],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** An `attribute eq "value"` filter of one of these attributes; undefined without a filter. */
export function filterOf<Name extends string>(
  text: unknown,
  attributes: readonly Name[],
): { attribute: Name; value: string } | undefined {
  if (text === undefined) return undefined
  const whole = String(text).slice(0, 500).trim()
  const space = whole.indexOf(' ')
  const name = whole.slice(0, Math.max(0, space))
  const rest = whole.slice(space + 1).trimStart()
  const quoted = rest.slice(0, 3).toLowerCase() === 'eq ' ? rest.slice(3).trimStart() : ''
  const attribute = attributes.find((one) => one.toLowerCase() === name.toLowerCase())
  const value = valueOf(quoted)
  if (!attribute || value === undefined || value.includes('\0'))
    throw new ScimError(400, 'invalidFilter', `Filters are: ${attributes.map((one) => `${one} eq "…"`).join(', ')}`)
  return { attribute, value }
}

function valueOf(quoted: string): string | undefined {
  try {
    return z.string().safeParse(JSON.parse(quoted)).data
  } catch {
    return undefined
  }
}

/** Operations of one PATCH, and members of one operation. */
export const mostOperations = 100
export const mostMembers = 500

const Operation = z.object({
  // Entra writes them with a capital.
  op: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['add', 'replace', 'remove'])),
  path: z.string().max(200).optional(),
  value: z.unknown().optional(),
})
export type Operation = z.infer<typeof Operation>

const Patch = z.object({ schemas: z.array(z.string()), Operations: z.array(Operation).min(1) })

/** The operations of a PATCH. */
export function operationsOf(body: unknown): Operation[] {
  const read = Patch.safeParse(body)
  if (!read.success || !read.data.schemas.includes(urns.patch))
    throw new ScimError(400, 'invalidSyntax', 'The body is no PatchOp with Operations')
  if (read.data.Operations.length > mostOperations)
    throw new ScimError(400, 'tooMany', `A PATCH has up to ${mostOperations} operations`)
  return read.data.Operations
}

/** A path without the name of its schema. */
export const localPath = (path: string): string => {
  for (const urn of [urns.user, urns.group])
    if (path.toLowerCase().startsWith(`${urn.toLowerCase()}:`)) return path.slice(urn.length + 1)
  return path
}
