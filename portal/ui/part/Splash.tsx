import { Logo } from '#portal/ui/value/Logo.tsx'
import classes from './Splash.module.css'

/** The coin alone, while the session starts. */
export const Splash = () => (
  <div className={classes.splash}>
    <Logo size={44} />
  </div>
)
