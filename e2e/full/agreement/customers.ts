import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DemoMember } from '#demo/story.ts'
import { startFleet } from '#simulator/fleet.ts'
import type { MediaAct, MediaActResult } from '#simulator/media/media-acts.ts'
import type { MachineMemory } from '#simulator/memory.ts'
import { writeStore } from '#simulator/store.ts'

const patienceMs = 60_000

async function until(what: string, isTrue: () => boolean): Promise<void> {
  const end = Date.now() + patienceMs
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`Not in time: ${what}`)
    await pause(100)
  }
}

/**
 * Customers with media at some machines, which are online for this time only and sell nothing else: they recharge, buy with cloud credit,
 * lose a vend without and with charge, and write credit onto the key. The memories of the machines continue.
 */
export async function serveCustomers(
  broker: string,
  members: readonly DemoMember[],
  memories: Map<string, MachineMemory>,
): Promise<MediaActResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gettone-customers-'))
  const quiet = members.map((member) => {
    const memory = memories.get(member.plan.serial) as MachineMemory
    const calm = { trouble: 1e-9, behaviour: 'success' as const, rhythm: member.plan.rhythm.map(() => 0) }
    return { ...member, plan: { ...member.plan, ...calm }, lastSeq: memory.seq, memory }
  })
  writeStore(
    folder,
    quiet.map(({ plan, memory }) => [plan.serial, { memory, pending: [] }]),
  )
  const fleet = startFleet({ members: quiet, broker, folder, priceEdits: 0, cloudUse: 0 })
  try {
    const results = await Promise.all(
      quiet.map(async ({ plan }, index) => {
        const machine = fleet.machines.get(plan.serial)
        if (!machine) throw new Error('The machine is not in the fleet')
        await until(`${plan.serial} is connected`, () => machine.isConnected())
        await until(`${plan.serial} has sent its items`, () => machine.waiting() === 0)
        const media = { mediaSerial: `CLOUD${String(index).padStart(4, '0')}`, mediaType: 2 }
        const amount = plan.recharges?.at(-1) ?? 0
        const acts: MediaAct[] = [
          { ...media, action: 'recharge', amount, to: 'cloud' },
          { ...media, action: 'sell' },
          { ...media, action: 'sell', fails: 'released' },
          { ...media, action: 'sell', fails: 'charged' },
          { ...media, action: 'collect', amount: plan.coins[2] ?? 0 },
          { ...media, action: 'recharge', amount: plan.recharges?.[0] ?? 0, to: 'key' },
        ]
        const done: MediaActResult[] = []
        for (const act of acts) {
          done.push(await machine.serve(act))
          await until(`${plan.serial} has sent its items`, () => machine.waiting() === 0)
        }
        return done
      }),
    )
    return results.flat()
  } finally {
    for (const { plan } of quiet) {
      const kept = fleet.machines.get(plan.serial)?.stored()
      if (kept) memories.set(plan.serial, kept.memory)
    }
    await fleet.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
