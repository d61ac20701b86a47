import { toWire } from '#contract/frame/instant.ts'
import { mostTables, readTableState, type TableState, type tableStates } from '#contract/platform/table-state.ts'
import { deleteTableState, listTableStates, saveTableState } from '#database/platform/table-state.ts'
import type { Handlers } from '#server/http/handler.ts'

const presentTableState = (tableId: string, state: unknown, savedAt: Date): TableState => ({
  ...readTableState(state),
  tableId,
  savedAt: toWire(savedAt),
})

export const tableStateHandlers: Handlers<typeof tableStates> = {
  listTableStates: async ({ doors, user }) => {
    const rows = await listTableStates(doors, user.id)
    return rows.map(({ table_id, state, updated_at }) => presentTableState(table_id, state, updated_at))
  },

  saveTableState: async ({ doors, user, params: { tableId }, body, now }) => {
    await saveTableState(doors, { userId: user.id, tableId, state: body, at: now, most: mostTables })
    return presentTableState(tableId, body, now)
  },

  deleteTableState: async ({ doors, user, params }) => {
    await deleteTableState(doors, user.id, params.tableId)
    return undefined
  },
}
