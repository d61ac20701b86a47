import type { Screen } from '#portal/app/screen.ts'

export const commandsScreens: readonly Screen[] = [
  {
    path: '/devices/$posId/remote-commands',
    tabOf: '/devices/$posId',
    needs: 'remoteCommand.read',
    load: () => import('#portal/features/commands/remote-command/MachineCommands.tsx'),
    label: 'commands',
    words: ['remote-command', 'vocabulary', 'list', 'editing'],
  },
  {
    path: '/devices/remote-commands',
    needs: 'remoteCommand.write',
    load: () => import('#portal/features/commands/remote-command/wizard/RemoteCommandsScreen.tsx'),
    label: 'commands',
    words: ['remote-command', 'price', 'vocabulary', 'list', 'form', 'editing', 'errors'],
    menu: { key: 'c' },
  },
]
