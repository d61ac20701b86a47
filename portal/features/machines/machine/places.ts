import type { machines } from '#contract/machines/machine.ts'
import { attentionStatuses } from '#contract/vocabulary/device.ts'
import { listPlace } from '#portal/ui/list/listPlace.ts'
import type { BulkSelection } from '#portal/ui/list/types.ts'
import type { Place } from '../../../app/place.ts'

type Named = { id: string }

/** A machine's page, at any merchant. */
export const placeOfMachine = ({ id }: Named): Place => ({ to: '/devices/$posId', params: { posId: id } })

/** The filter for machines that need attention. */
export const attentionFilter = { posStatus: attentionStatuses.map(String) }

/** The machines that need attention. */
export const placeOfAttention: Place = { to: '/devices/list', search: attentionFilter }

/** The list of the given machines. */
export const placeOfMachines = (some: readonly Named[]): Place =>
  listPlace<typeof machines.listMachines>('/devices/list', { ids: some.map(({ id }) => id) })

/**
 * A screen for the selection of a list; for all matching rows, the address has the filters and the number of machines.
 */
function placeWith(to: string, selection: BulkSelection<Named>): Place {
  if (selection.kind === 'rows') return { to, search: { posIds: selection.ids } }
  const written = Object.entries(selection.filters).map(
    ([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)] as const,
  )
  return {
    to,
    search: { ...Object.fromEntries(written), matching: String(selection.count), except: selection.except },
  }
}

/** The wizard that sends a command to the selected machines. */
export const placeOfSendingTo = (selection: BulkSelection<Named>) => placeWith('/devices/remote-commands', selection)

/** The wizard that changes prices of the selected machines. */
export const placeOfPricing = (selection: BulkSelection<Named>) => placeWith('/devices/prices/change', selection)
