// Who may connect, as a data file that people without a programming background can edit.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"example.com/pulumi-edge-policy/sdk/go/edgepolicy"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type office struct {
	Office   string
	Networks []string
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		data, err := os.ReadFile("offices.json")
		if err != nil {
			return err
		}
		var offices []office
		if err := json.Unmarshal(data, &offices); err != nil {
			return err
		}

		// Rules of a list need no names: the set knows them by their networks, and a preview shows the ones that change.
		policyID := config.Get(ctx, "ipPolicyId")
		if policyID == "" {
			policyID = "ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa"
		}
		rules := edgepolicy.IpPolicyRuleSetListedRuleArray{}
		for _, office := range offices {
			for _, cidr := range office.Networks {
				rules = append(rules, edgepolicy.IpPolicyRuleSetListedRuleArgs{
					Cidr:        pulumi.String(cidr),
					Action:      pulumi.String("allow"),
					Description: pulumi.String(fmt.Sprintf("%s (%s)", office.Office, ctx.Stack())),
				})
			}
		}
		allowList, err := edgepolicy.NewIpPolicyRuleSet(ctx, "offices", &edgepolicy.IpPolicyRuleSetArgs{
			IpPolicyId: pulumi.String(policyID),
			Rules:      rules,
		})
		if err != nil {
			return err
		}
		ctx.Export("allowed", allowList.RuleList)
		return nil
	})
}
