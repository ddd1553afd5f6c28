// A service that does next to nothing: it answers every create as expected and forgets it, so that its own cost hides nothing.
// Prints its address; ends with its parent.
import http from 'node:http';

const rule = (body) => {
  const { cidr, action, description, ip_policy_id: id } = JSON.parse(body);
  return JSON.stringify({
    ...{
      // As long as the service's own ids, for the size of the state.
      id: `ipr_${cidr.replaceAll(/\W/g, '_').padEnd(27, '0')}`,
      uri: 'https://api.example.com/ip_policy_rules/ipr_1',
      cidr,
      action,
      description,
    },
    created_at: '2030-01-01T00:00:00Z',
    ip_policy: { id, uri: 'https://api.example.com/ip_policies/ipp_1' },
  });
};

const server = http.createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    response.writeHead(201, { 'Content-Type': 'application/json' }).end(rule(body));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
process.stdin.on('end', () => process.exit()).resume();
