import { AssociationAnswer, type AssociationRequest } from '#contract/device-protocol.ts'

/** The portal refused the association; `code` says why. */
export class AssociationRefusedError extends Error {
  readonly code: string

  constructor(code: string) {
    super(`The portal refused the association: ${code}`)
    this.code = code
  }
}

/** Introduces the agent to the portal with a PIN, a one-time code or its secret. */
export async function associate(portal: string, request: AssociationRequest): Promise<AssociationAnswer> {
  const response = await fetch(new URL('/device/v1/associate', portal), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    redirect: 'error',
  })
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok) return AssociationAnswer.parse(body)
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : String(response.status)
  throw new AssociationRefusedError(code)
}
