import { useParams } from '@tanstack/react-router'
import { CommandList } from './list/CommandList.tsx'

/** Commands of one machine, as a tab of its page. */
export default function MachineCommands() {
  const { posId } = useParams({ strict: false }) as { posId: string }
  return <CommandList posId={posId} />
}
