import type { Chosen, Place } from '../../ui/list/types.ts'

type Located = { id: string; merchantId: string }

/** A machine's page, whoever's it is. */
export const placeOfMachine = ({ id, merchantId }: Located): Place => ({
  to: '/devices/$posId',
  params: { posId: id },
  search: { merchant: merchantId },
})

/** The list of some machines. */
export const placeOfMachines = (machines: readonly Located[]): Place => ({
  to: '/devices/list',
  search: { ids: machines.map(({ id }) => id) },
})

/** The wizard that sends a command, its machines chosen; of one merchant when they all are. */
export function placeOfSending(machines: readonly Located[]): Place {
  const [first] = machines
  const isOfOne = machines.every(({ merchantId }) => merchantId === first?.merchantId)
  const posIds = machines.map(({ id }) => id)
  return { to: '/devices/remote-commands', search: isOfOne ? { merchant: first?.merchantId, posIds } : { posIds } }
}

/** The same for what is selected in a list; of all that match the address carries the filters, and how many that are. */
export function placeOfSendingTo(chosen: Chosen<Located>, merchantId: string): Place {
  if (chosen.kind === 'rows') return placeOfSending(chosen.items)
  const written = Object.entries(chosen.filters).map(
    ([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)] as const,
  )
  return {
    to: '/devices/remote-commands',
    search: {
      ...Object.fromEntries(written),
      merchant: merchantId,
      matching: String(chosen.count),
      except: chosen.except,
    },
  }
}
