import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { AssociationAnswer, type AssociationRequest } from '#contract/device-protocol.ts'
import type { LoadMember } from './load-machine.ts'

const Members = z.record(
  z.string(),
  z.array(z.object({ serial: z.string(), secret: z.string(), epoch: z.int(), lastSeq: z.int() })),
)

/** Machines of a server that were associated in an earlier run. Secrets are issued once, so they are stored in a file. */
export interface MemberFile {
  of(server: string): LoadMember[]
  keep(server: string, members: readonly LoadMember[]): void
}

export function openMemberFile(path: string): MemberFile {
  const read = () => (existsSync(path) ? Members.parse(JSON.parse(readFileSync(path, 'utf8'))) : {})
  return {
    of: (server) => read()[server] ?? [],
    keep(server, members) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, JSON.stringify({ ...read(), [server]: members }), { mode: 0o600 })
    },
  }
}

/** Associates a new machine with a merchant's PIN. Throws with the server's message when it is refused. */
export async function associateMember(server: string, request: AssociationRequest): Promise<LoadMember> {
  const response = await fetch(new URL('/device/v1/associate', server), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  if (!response.ok) throw new Error(`${server} refused ${request.serial}: ${await response.text()}`)
  const { serial, secret, epoch } = AssociationAnswer.parse(await response.json())
  return { serial, secret, epoch, lastSeq: 0 }
}
