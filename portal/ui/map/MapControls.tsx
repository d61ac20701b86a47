import { IconMaximize, IconMinus, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './MachineMap.module.css'

const controls = [
  { wish: 'in', name: 'zoomIn', Icon: IconPlus },
  { wish: 'out', name: 'zoomOut', Icon: IconMinus },
  { wish: 'all', name: 'all', Icon: IconMaximize },
] as const

/** Zoom in, zoom out, show all machines. */
export function MapControls({ press }: { press: (wish: (typeof controls)[number]['wish']) => void }) {
  const { t } = useTranslation('machine-map')
  return (
    <div className={`${classes.controls} no-print`}>
      {controls.map(({ wish, name, Icon }) => (
        <button key={wish} type="button" aria-label={t(name)} onClick={() => press(wish)}>
          <Icon size={16} aria-hidden />
        </button>
      ))}
    </div>
  )
}
