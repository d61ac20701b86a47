import { Logo } from '#portal/ui/value/Logo.tsx'
import classes from './Splash.module.css'

/** The coin alone, while it becomes clear who is there. */
export const Splash = () => (
  <div className={classes.splash}>
    <Logo size={44} />
  </div>
)
