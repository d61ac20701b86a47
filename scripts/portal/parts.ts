/** Parts of the portal that load one after another, each with all that it imports. Paths are from the root of the tree. */

/** What sends a visitor to sign in, without the rest of the portal. */
export const signIn = 'portal/gate.ts'

export const main = 'portal/main.tsx'

export const firstScreen = 'portal/features/sales/dashboard/DashboardScreen.tsx'

/** What appears on the first screen after its frame: menus, palette, messages, the lines of machines and the map. */
export const second = [
  'portal/shell/menu/menus.tsx',
  'portal/shell/menu/GroupMenu.tsx',
  'portal/shell/palette/Palette.tsx',
  'portal/features/alarms/alarm/BlockingCount.tsx',
  'portal/features/machines/machine/MachinesMap.tsx',
  'portal/features/sales/dashboard/NeedsYouLines.tsx',
  'portal/app/toast/toast.tsx',
  'portal/ui/form/keptInput.ts',
  'portal/ui/map/MachineMap.tsx',
  'portal/ui/map/MapLayers.tsx',
]
