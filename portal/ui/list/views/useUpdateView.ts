import { useQueryClient } from '@tanstack/react-query'
import type { ClientInput } from '#contract/frame/endpoint.ts'
import { type SavedView, savedViews } from '#contract/platform/saved-view.ts'
import { type CommandOptions, useCommand } from '#portal/app/api.ts'

const row = savedViews.updateView

/**
 * Changes a saved view. If another tab or user changed it first, their version is fetched: the next attempt starts
 * from it.
 */
export function useUpdateView(options: CommandOptions<typeof row> = {}) {
  const client = useQueryClient()
  const { mutate, error, isPending, reset } = useCommand(row, options)
  const change = (input: ClientInput<typeof row>, onSuccess: (saved: SavedView) => void) =>
    mutate(input, {
      onSuccess,
      onError: ({ code }) => {
        if (code === 'EditConflict') void client.invalidateQueries({ queryKey: [savedViews.listViews.path] })
      },
    })
  return { change, error, isPending, reset }
}
