import type { Catalogue } from '../catalogue.ts';

/** Spanish messages about accounts, companies, keys and roles. */
export const ACCESS: Catalogue = [
  ['This requires a user; an API key cannot do it', 'Esto requiere un usuario; una clave de API no puede hacerlo'],
  ['must have at least {1} characters', 'debe tener al menos {1} caracteres'],
  [
    'cannot be given to an API key by itself, because with it the key could give itself more; choose a role',
    'no se puede dar a una clave de API por sí solo, porque con él la clave podría darse más; elija un rol',
  ],
  ['Only a user has a password', 'Solo un usuario tiene contraseña'],
  ['is not your current password', 'no es su contraseña actual'],
  ['The company', 'La empresa'],
  ['The link has expired; request another', 'El enlace ha caducado; pida otro'],
  [
    'The link cannot be used because it was used before, a later mail replaced it, or the account was changed',
    'El enlace no se puede usar porque ya se usó, un correo posterior lo sustituyó o la cuenta se cambió',
  ],
  ['The link was used, has expired, or was requested again', 'El enlace ya se usó, ha caducado o se pidió de nuevo'],
  [
    'Only a person who is an owner can take over an API key',
    'Solo una persona que sea propietaria puede hacerse cargo de una clave de API',
  ],
  [
    'The API key cannot be taken over because whoever answers for it is a member',
    'No es posible hacerse cargo de la clave de API porque quien responde de ella es miembro',
  ],
  ['cannot be given together with permissions', 'no puede darse junto con permissions'],
  [
    'You cannot create, change or delete a key that may do more than you: {1}',
    'No puede crear, cambiar ni borrar una clave que pueda más que usted: {1}',
  ],
  ['The API key', 'La clave de API'],
  [
    'Only an owner can create an API key that never expires; send expiresAt',
    'Solo un propietario puede crear una clave de API que no caduque nunca; envíe expiresAt',
  ],
  ['must be in the future', 'debe estar en el futuro'],
  ['{1}; send an expiresAt until {2}', '{1}; envíe un expiresAt hasta {2}'],
  [
    'Another company of yours is being created: wait until it is, then try again',
    'Se está creando otra empresa suya: espere a que exista y vuelva a intentarlo',
  ],
  ['{1}: its operator can raise the limit ({2})', '{1}: su operador puede subir el límite ({2})'],
  [
    'An API key cannot create a company because a company needs a user as its owner',
    'Una clave de API no puede crear una empresa porque una empresa necesita un usuario como propietario',
  ],
  [
    'The invitation cannot be used because it was answered, withdrawn, or sent again in a later mail',
    'La invitación no se puede usar porque ya se contestó, se retiró o se envió de nuevo en un correo posterior',
  ],
  [
    'The invitation has expired; ask the company to send it again',
    'La invitación ha caducado; pida a la empresa que la envíe de nuevo',
  ],
  [
    'Your e-mail is not verified: use the link in the invitation mail, which verifies it',
    'Su correo no está verificado: use el enlace del correo de invitación, que lo verifica',
  ],
  ['is required: choose one for your account', 'es obligatorio: elija una para su cuenta'],
  [
    '{1} cannot be changed because the invitation is not accepted yet; to use another e-mail, withdraw it and invite again',
    '{1} no se puede cambiar porque la invitación aún no se ha aceptado; para usar otro correo, retírela e invite de nuevo',
  ],
  [
    'The invitation was {1}; POST /api/memberships creates a new one',
    'La invitación está {1}; POST /api/memberships crea una nueva',
  ],
  [
    'The company has sent {1} within a day; wait before the next',
    'La empresa ha enviado {1} en un día; espere antes de la siguiente',
  ],
  [
    'They are already invited; POST /api/invitations/{1}/resend sends the mail again',
    'Ya se le ha invitado; POST /api/invitations/{1}/resend envía el correo de nuevo',
  ],
  ['is already invited', 'ya está invitado'],
  [
    'They have verified their e-mail, so only they can change the account; change or end their membership instead',
    'Ha verificado su correo, así que solo esa persona puede cambiar la cuenta; cambie o termine su pertenencia a la empresa',
  ],
  [
    'Only the company that created the account can change it; change or end their membership instead',
    'Solo la empresa que creó la cuenta puede cambiarla; cambie o termine su pertenencia a la empresa',
  ],
  [
    'The user also works in other companies, which the change would affect; change the membership instead',
    'El usuario trabaja también en otras empresas, a las que afectaría el cambio; cambie su pertenencia a la empresa',
  ],
  [
    'Only an owner can create, change or remove owners',
    'Solo un propietario puede crear, cambiar o quitar propietarios',
  ],
  [
    'They cannot be removed because they are the last owner of the company; make another user owner first',
    'No se puede quitar porque es el último propietario de la empresa; haga antes propietario a otro usuario',
  ],
  ['cannot be given with role: choose one', 'no puede darse junto con role: elija uno'],
  [
    'must be the id of a role of the company (GET /api/roles)',
    'debe ser el id de un rol de la empresa (GET /api/roles)',
  ],
  [
    'The role cannot be deleted because {1} members, {2} invitations and {3} API keys have it; give them another',
    'El rol no se puede borrar porque lo tienen {1} miembros, {2} invitaciones y {3} claves de API; deles otro',
  ],
  ['is the name of a role that every company has', 'es el nombre de un rol que tiene toda empresa'],
  [
    'cannot be given by itself, because with it people could give themselves more; make them administrators',
    'no se puede dar por sí solo, porque con él las personas podrían darse más; hágalas administradoras',
  ],
  ['You cannot give what you may not do yourself: {1}', 'No puede dar lo que usted mismo no puede hacer: {1}'],
  [
    'A company has at most {1} roles of its own: delete one first',
    'Una empresa tiene como mucho {1} roles propios: borre antes uno',
  ],
  ['The token is not valid; log in again', 'El token no es válido; inicie sesión de nuevo'],
  [
    'The token has expired; get a new one from /api/auth/refresh or log in again',
    'El token ha caducado; obtenga otro de /api/auth/refresh o inicie sesión de nuevo',
  ],
  ['The API key is not valid', 'La clave de API no es válida'],
  ['The API key has expired', 'La clave de API ha caducado'],
  ['The token of the plugin is not valid', 'El token del plugin no es válido'],
  ['x-tenant-id must be the UUID of a company', 'x-tenant-id debe ser el UUID de una empresa'],
  [
    'The API key is suspended because whoever answers for it is no active member; an owner can take it over: POST /api/api-keys/{1}/take-over',
    'La clave de API está suspendida porque quien responde de ella no es miembro activo; un propietario puede hacerse cargo de ella: POST /api/api-keys/{1}/take-over',
  ],
  ['You have no active membership in this company', 'No tiene pertenencia activa en esta empresa'],
  ['The session has ended; log in again', 'La sesión ha terminado; inicie sesión de nuevo'],
  [
    'Send a token: Authorization: Bearer <token> (POST /api/auth/login issues one)',
    'Envíe un token: Authorization: Bearer <token> (POST /api/auth/login lo emite)',
  ],
  ['Too many {1}; wait before the next try', 'Demasiados intentos: {1}; espere antes del siguiente'],
  [
    'Tokens cannot be mailed because ENCRYPTION_KEY is not set; start the service with it',
    'No se pueden enviar tokens por correo porque falta ENCRYPTION_KEY; arranque el servicio con ella',
  ],
  [
    'Too many passwords are being checked; try again',
    'Se están comprobando demasiadas contraseñas; inténtelo de nuevo',
  ],
  ['The refresh token is not valid; log in again', 'El token de renovación no es válido; inicie sesión de nuevo'],
  ['The refresh token has expired; log in again', 'El token de renovación ha caducado; inicie sesión de nuevo'],
  ['The user has no active membership {1}', 'El usuario no tiene pertenencia activa {1}'],
  [
    'The service is already set up; log in at POST /api/auth/login',
    'El servicio ya está configurado; inicie sesión en POST /api/auth/login',
  ],
  [
    'must be a user whom you can add by id; invite others by e-mail',
    'debe ser un usuario al que pueda añadir por id; invite a los demás por correo',
  ],
  ['is required, or roleId of a role of your own', 'es obligatorio, o roleId de un rol propio'],
  ['send either userId or email', 'envíe userId o email'],
  [
    'The user is already a member; PATCH /api/memberships/{1} changes it',
    'El usuario ya es miembro; PATCH /api/memberships/{1} lo cambia',
  ],
  [
    'Your role allows you to change only your own name and locale',
    'Su rol solo le permite cambiar su propio nombre e idioma',
  ],
];
